// SPDX-License-Identifier: Apache-2.0
#include "runtime/notifier.h"

#include <CL/cl.h>

#include <condition_variable>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "base/thread.h"
#include "runtime/application_call.h"
#include "runtime/command.h"

namespace clcuda {

struct Notifier::State {
  Mutex mutex LOCK_RANK(notifier);
  std::condition_variable changed;
  std::vector<std::function<void()>> jobs GUARDED_BY(mutex);
  bool stopping GUARDED_BY(mutex) = false;
  bool started GUARDED_BY(mutex) = false;
};

Notifier::Notifier() : state_(std::make_shared<State>()) {}

std::shared_ptr<Notifier> make_notifier() { return std::make_shared<Notifier>(); }

Notifier::~Notifier() {
  MutexLock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_one();
}

void Notifier::post(std::function<void()> job) {
  MutexLock lock(state_->mutex);
  if (!state_->started) state_->started = start_thread("clcuda-notify", [state = state_] { run(state); });
  if (!state_->started) throw Error(CL_OUT_OF_RESOURCES, "no thread for callbacks");
  state_->jobs.push_back(std::move(job));
  state_->changed.notify_one();
}

void Notifier::watch(Ref<Command> command) noexcept { watch_.add(std::move(command)); }

void Notifier::run(const std::shared_ptr<State>& state) noexcept {
  MutexLock lock(state->mutex);
  while (!state->stopping) {
    std::vector<std::function<void()>> jobs = std::exchange(state->jobs, {});
    lock.unlock();
    for (auto& job : jobs) {
      call_application(job);
      job = nullptr;  // what it captured may be the context's last reference
    }
    jobs.clear();
    lock.lock();
    while (state->jobs.empty() && !state->stopping) state->changed.wait(lock.native());
  }
}

}  // namespace clcuda
