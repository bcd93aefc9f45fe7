// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler {

// NVPTX's numbers.
inline constexpr unsigned generic_space = 0, global_space = 1, local_space = 3, constant_space = 4;

}  // namespace clcuda::compiler
