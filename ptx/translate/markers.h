// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx {

// Names that stand, between translation and region forming, for what a single item cannot do itself.
inline constexpr const char* suspend_marker = "clcuda.suspend";  // i64 (i32 wait, i64 × wait_operands)
inline constexpr const char* exit_marker = "clcuda.exit";        // void ()

}  // namespace clcuda::ptx
