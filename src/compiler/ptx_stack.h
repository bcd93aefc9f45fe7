// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace clcuda::compiler {

// An estimate of the bytes of stack that a work-item needs where ptxas does not know it, as the code calls functions through pointers: the
// greatest private memory of a kernel, and that of the functions with most of it in a chain of calls. 0 for code without such calls.
std::uint64_t stack_of_indirect_calls(std::string_view ptx);

}  // namespace clcuda::compiler
