// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "runtime/platform/application_call.h"

namespace clcuda {

// A thread that calls a context's callbacks in the order in which they became due, with no lock held. A callback may call any OpenCL
// function, even one that waits for commands, because another thread observes completion (completion_watcher.h). The thread is started
// by the first job.
class CallbackThread {
 public:
  CallbackThread();
  ~CallbackThread();  // may run on the thread itself; pending jobs are dropped
  CallbackThread(const CallbackThread&) = delete;
  CallbackThread& operator=(const CallbackThread&) = delete;

  // The job must capture a reference to the context. Throws if the thread cannot be started or memory runs out; the job is then not
  // posted.
  void post(std::function<void()> job);
  // For jobs that must not be lost: if posting fails, the job is called here.
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
