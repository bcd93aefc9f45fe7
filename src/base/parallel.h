// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace clcuda {

// Calls `body` with 0 … count - 1, in parallel on as many threads as the machine has processors (at most 16), the calling one among them,
// and returns when all calls have returned. If a call throws, no further ones begin, and the first exception is thrown here.
//
//   in_parallel(modules.size(), [&](std::size_t i) { optimize(modules[i]); });
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace clcuda
