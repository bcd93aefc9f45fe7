// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler {

// NVPTX's numbers.
inline constexpr unsigned kGenericSpace = 0, kGlobalSpace = 1, kLocalSpace = 3, kConstantSpace = 4;

}  // namespace clcuda::compiler
