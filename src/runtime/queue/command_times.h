// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

namespace clcuda {

// Host times in nanoseconds (host_time.h).
struct CommandTimes {
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
};

}  // namespace clcuda
