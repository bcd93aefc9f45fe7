// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <chrono>

namespace clcuda {

// The one time base, in nanoseconds: of clGetHostTimer, clGetDeviceAndHostTimer and event profiling. The
// device's own timestamps are brought to it where an event reads them.
inline cl_ulong host_time() noexcept {
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace clcuda
