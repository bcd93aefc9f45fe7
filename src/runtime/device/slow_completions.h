// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "runtime/device/watched.h"

namespace clcuda {

// Completes commands whose last step on the host may take as long as others like: what a kernel printed goes to the standard output, which
// may be a pipe that nobody reads. A thread that only queries such a command, and others too, leaves it to this class. A thread of the
// HostWorkerPool completes the command if it has printed nothing, say; otherwise one thread waits for one such command after the other.
class SlowCompletions {
 public:
  // For a command whose work on the device has ended. Throws std::bad_alloc or Error(CL_OUT_OF_RESOURCES) if it cannot be taken.
  static void add(Ref<Watched> command);
};

}  // namespace clcuda
