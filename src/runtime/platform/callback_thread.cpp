// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/callback_thread.h"

#include <CL/cl.h>

#include <condition_variable>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "base/thread.h"
#include "runtime/platform/application_call.h"

namespace clcuda {

struct CallbackThread::State {
  Mutex mutex LOCK_RANK(callback_thread);
  std::condition_variable changed;
  std::vector<std::function<void()>> jobs GUARDED_BY(mutex);
  bool stopping GUARDED_BY(mutex) = false;
  bool started GUARDED_BY(mutex) = false;
};

CallbackThread::CallbackThread() : state_(std::make_shared<State>()) {}

CallbackThread::~CallbackThread() {
  MutexLock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_one();
}

void CallbackThread::post(std::function<void()> job) {
  MutexLock lock(state_->mutex);
  if (!state_->started) state_->started = start_thread("clcuda-notify", [state = state_] { run(state); });
  if (!state_->started) throw Error(CL_OUT_OF_RESOURCES, "no thread for callbacks");
  state_->jobs.push_back(std::move(job));
  state_->changed.notify_one();
}

void CallbackThread::run(const std::shared_ptr<State>& state) noexcept {
  MutexLock lock(state->mutex);
  while (!state->stopping) {
    std::vector<std::function<void()>> jobs = std::exchange(state->jobs, {});
    lock.unlock();
    for (auto& job : jobs) {
      if (!call_application(job)) wait_for_process_end();
      job = nullptr;  // what it captured may be the context's last reference
    }
    jobs.clear();
    lock.lock();
    while (state->jobs.empty() && !state->stopping) state->changed.wait(lock.native());
  }
}

}  // namespace clcuda
