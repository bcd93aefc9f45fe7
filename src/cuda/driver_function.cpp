// SPDX-License-Identifier: Apache-2.0
#include "cuda/driver_function.h"

namespace clcuda::cuda {
namespace {

struct NamedFunction {
  std::string_view name;
  void* (*of)(const DriverTable&);
};
constexpr NamedFunction kFunctions[] = {
#define REQUIRED(function) \
  {#function, [](const DriverTable& table) { return reinterpret_cast<void*>(table.function); }},
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
};

}  // namespace

void* driver_function(const DriverTable& table, std::string_view name) noexcept {
  for (const NamedFunction& function : kFunctions)
    if (function.name == name) return function.of(table);
  return nullptr;
}

}  // namespace clcuda::cuda
