// SPDX-License-Identifier: Apache-2.0
#include "cuda/ptx_log.h"

#include <fmt/format.h>

#include <charconv>

namespace clcuda::cuda {
namespace {

// The number before `unit`: "8 bytes spill stores".
std::optional<std::uint64_t> number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t begin = line.find_last_not_of("0123456789", end - 1) + 1;
  std::uint64_t number = 0;
  const auto [next, error] = std::from_chars(line.data() + begin, line.data() + end, number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

// "ptxas info    : Function properties for SYMBOL", and on the next line "N bytes stack frame, N bytes spill stores, N bytes spill loads".
std::optional<Spills> spills_of(std::string_view log, std::string_view symbol) {
  const std::string head = fmt::format("Function properties for {}\n", symbol);
  const std::size_t found = log.find(head);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view line = log.substr(found + head.size());
  line = line.substr(0, line.find('\n'));
  const auto stores = number_before(line, " bytes spill stores"),
             loads = number_before(line, " bytes spill loads");
  if (!stores || !loads) return std::nullopt;
  return Spills{*stores, *loads};
}

}  // namespace clcuda::cuda
