// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx {

// Functions without a body, calls of which stand for what one item cannot do by itself: waiting for others, and ending. They are replaced
// when kernels are split into regions.
inline constexpr const char* kSuspendMarker = "clcuda.suspend";  // i64 (i32 wait, i64 × kWaitOperands)
inline constexpr const char* kExitMarker = "clcuda.exit";        // void ()

}  // namespace clcuda::ptx
