// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace clcuda::api {

// The largest host memory that pitches may imply, in bytes: the user part of a 48-bit address space. Larger pitches are a mistake
// (CL_INVALID_VALUE).
inline constexpr std::size_t kMostHostMemory = std::size_t{1} << 47;

}  // namespace clcuda::api
