// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "base/ref.h"
#include "runtime/platform/application_call.h"
#include "runtime/queue/completion_watcher.h"

namespace clcuda {

// A context's threads for telling. One runs the application's callbacks, in the order in which they became due, with no lock held:
// they may call any OpenCL function, also one that waits for commands, because it is another thread that watches those (watch.h).
// Each starts when first needed.
class CallbackThread {
 public:
  CallbackThread();
  ~CallbackThread();  // may run on one of the threads; jobs left over are dropped
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
  // A submitted command that has a CUDA event: its end is observed soon after it happens.
  void watch(Ref<Command> command) noexcept;
  // To be called before, where that can fail yet.
  void prepare_to_watch() { watcher_.start(); }

 private:
  struct State;
  static void run(const std::shared_ptr<State>& state) noexcept;

  const std::shared_ptr<State> state_;
  CompletionWatcher watcher_;
};

std::shared_ptr<CallbackThread> make_callback_thread();

}  // namespace clcuda
