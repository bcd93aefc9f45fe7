// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::compiler {

// Addresses among the arguments of a launch of the uniform variant are multiples of this, the size of the widest load: what lies side by
// side behind them is loaded and stored together. With other addresses the general variant is launched.
inline constexpr std::uintptr_t kUniformAddressAlignment = 16;

}  // namespace clcuda::compiler
