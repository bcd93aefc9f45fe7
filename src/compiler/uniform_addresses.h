// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::compiler {

// In the uniform variant, pointer arguments, also those to local memory, are aligned to this, the size of the widest load, so that adjacent
// accesses can be vectorised. Launches with other pointers use the general variant.
inline constexpr std::uintptr_t kUniformAddressAlignment = 16;

}  // namespace clcuda::compiler
