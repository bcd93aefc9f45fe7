// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "runtime/platform/application_call.h"

namespace clcuda {

// Runs a context's callbacks of the application, in the order in which they became due, with no lock held:
// they may call any OpenCL function, also one that waits for commands, because it is another thread that
// watches those (completion_watcher.h). The thread starts when first needed.
class CallbackThread {
 public:
  CallbackThread();
  ~CallbackThread();  // may run on the thread itself; jobs left over are dropped
  CallbackThread(const CallbackThread&) = delete;
  CallbackThread& operator=(const CallbackThread&) = delete;

  // Each job keeps the context alive by what it captures. Where this throws, it is not posted.
  void post(std::function<void()> job);
  // For what may not be lost: where it cannot be posted, it is called here.
  template <class Job>
  void post_or_call(const Job& job) noexcept {
    try {
      post(job);
    } catch (const std::exception&) {
      call_application(job);
    }
  }

 private:
  struct State;
  static void run(const std::shared_ptr<State>& state) noexcept;

  const std::shared_ptr<State> state_;
};

}  // namespace clcuda
