// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace clcuda {

// Runs `work` on one of the threads that build programs while the application goes on. Work begins in the
// order it came in. The process does not end in the middle of a build: exit waits for those that have begun.
void build_in_background(std::function<void()> work);

}  // namespace clcuda
