// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace clcuda::api {

// No process has more memory than its addresses name: pitches with which host memory would be larger are a
// mistake.
inline constexpr std::size_t kMostHostMemory = std::size_t{1} << 47;

}  // namespace clcuda::api
