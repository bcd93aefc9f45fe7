// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx {

// Names that stand, between translation and region forming, for what a single item cannot do itself.
inline constexpr const char* kSuspendMarker = "clcuda.suspend";  // i64 (i32 wait, i64 × kWaitOperands)
inline constexpr const char* kExitMarker = "clcuda.exit";        // void ()

}  // namespace clcuda::ptx
