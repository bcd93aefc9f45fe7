// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace clcuda {

// Calls `build` on a background thread, and then `tell`, which calls the application's callback. Builds begin in the order of these calls.
// exit() waits for builds that have begun. Throws, without calling anything, if no thread can be started.
void build_in_background(std::function<void()> build, std::function<void()> tell);

}  // namespace clcuda
