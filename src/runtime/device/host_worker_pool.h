// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace clcuda {

// Threads that execute commands on the host; started as needed, up to a limit, and kept. A job may wait for work that is already in CUDA
// streams, and for what another thread has begun, never for a job that has not. Functions of the application may, as they may enqueue
// commands of any kind and wait for them (Outside).
class HostWorkerPool {
 public:
  // Throws std::bad_alloc or Error(CL_OUT_OF_RESOURCES) if the job cannot be taken.
  static void post(std::function<void()> job);
  // Whether so many threads are at work that jobs which would only wait should be posted later.
  static bool is_crowded() noexcept;

  // While it exists on a thread of the pool, the thread does not count for the limit.
  class Outside {
   public:
    Outside() noexcept;
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
  };
};

}  // namespace clcuda
