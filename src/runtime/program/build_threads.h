// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace clcuda {

// Runs `build` on one of the threads that build programs while the application goes on, and then `tell`,
// which calls the application. Builds begin in the order they came in. The process does not end in the middle
// of a build: exit waits for those that have begun.
void build_in_background(std::function<void()> build, std::function<void()> tell);

}  // namespace clcuda
