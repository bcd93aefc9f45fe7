// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace clcuda {

// The time base of clGetHostTimer, clGetDeviceAndHostTimer, event profiling and traces: nanoseconds of the monotonic clock. Timestamps of
// a device are converted to it when an event reads them.
inline std::uint64_t host_time() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

}  // namespace clcuda
