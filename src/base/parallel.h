// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace clcuda {

// Calls `body` with 0 … count - 1, at once on as many threads as the machine has processors (at most 16),
// this one among them, and returns when all calls have. The first exception that leaves one is thrown again
// here; no call begins behind it.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace clcuda
