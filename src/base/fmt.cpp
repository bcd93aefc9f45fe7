// SPDX-License-Identifier: Apache-2.0
// The one source that has the code of fmt. In all others, where it would take half of the time of compilation, there are declarations only.
// The distributions' libraries of fmt are shared ones, which the library must not depend on.
#define FMT_HEADER_ONLY
// fmt 10 (Debian 13) checks its own format strings by a type that is local to a lambda, which Clang 22 takes for no constant.
#define FMT_CONSTEVAL
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace clcuda {

// What others call is emitted because its address is taken: vformat, and, where nothing is inlined, a function of fmt's templates.
[[gnu::used]] std::string (*const vformat_for_others)(fmt::string_view, fmt::format_args) = fmt::vformat;
[[gnu::used]] bool (*const is_printable_for_others)(std::uint32_t) = fmt::detail::is_printable;

}  // namespace clcuda
