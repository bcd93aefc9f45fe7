// SPDX-License-Identifier: Apache-2.0
#include "api/header_names.h"

#include <fmt/format.h>

namespace clcuda::api {
namespace {

struct Name {
  long long value;
  const char* text;
};
#define QUERY(value, name)
constexpr Name kCodes[] = {
#define CODE(value, name) {value, name},
#include "api/header_names.inc"
#undef CODE
};
#undef QUERY
#define CODE(value, name)
constexpr Name kQueries[] = {
#define QUERY(value, name) {value, name},
#include "api/header_names.inc"
#undef QUERY
};
#undef CODE

template <std::size_t kCount>
const char* find(const Name (&names)[kCount], long long value) {
  for (const Name& name : names)
    if (name.value == value) return name.text;
  return nullptr;
}

}  // namespace

std::string code_text(cl_int code) {
  const char* name = find(kCodes, code);
  return name ? fmt::format("{} ({})", code, name) : fmt::format("{}", code);
}

std::string query_text(cl_ulong query) {
  const char* name = find(kQueries, static_cast<long long>(query));
  return name ? fmt::format("{} (0x{:04X})", name, query) : fmt::format("0x{:04X}", query);
}

}  // namespace clcuda::api
