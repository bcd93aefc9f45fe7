// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::trace {

// Reads the environment and opens the timeline's file, at the first call. Must be called before the first handle is created. Without memory
// for that it does nothing, and the next call tries again.
void start() noexcept;

}  // namespace clcuda::trace
