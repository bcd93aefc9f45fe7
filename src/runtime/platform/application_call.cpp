// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/application_call.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <new>
#include <utility>

#include "base/mutex.h"
#include "base/process_end.h"
#include "runtime/object.h"

namespace clcuda {
namespace {

thread_local int calls_of_this_thread = 0;

class Calls {
 public:
  bool begin() noexcept {
    MutexLock lock(mutex_);
    if (ending_) return false;
    ++running_;
    return true;
  }
  void end() noexcept {
    MutexLock lock(mutex_);
    --running_;
    ended_.notify_all();
  }
  // The wait is limited because a running call may itself be waiting for the thread that called exit().
  void stop() noexcept {
    constexpr std::chrono::seconds kPatience{1};
    if (lost_by_fork()) return;  // they run in the parent
    MutexLock lock(mutex_);
    if (std::exchange(ending_, true)) return;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (running_ > calls_of_this_thread)
      if (ended_.wait_until(lock.native(), end) == std::cv_status::timeout) return;
  }

 private:
  Mutex mutex_ LOCK_RANK(application_calls);
  std::condition_variable ended_;
  int running_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
};

// Never destroyed, because threads use it until the process is gone; constructed without allocation, because callers are noexcept.
Calls& calls() noexcept {
  alignas(Calls) static std::array<std::byte, sizeof(Calls)> place;
  static Calls& instance = *new (place.data()) Calls;
  return instance;
}

void stop_calls() { calls().stop(); }

}  // namespace

void stop_application_calls_at_process_end() {
  static const bool noted = (at_process_end(stop_calls), true);
  (void)noted;
}

// Registers the exit handler once more, as late as possible: exit() runs it before the destructors of static objects that the application
// has constructed by then.
ApplicationCall::ApplicationCall() noexcept : allowed_(calls().begin()) {
  static const bool noted = (at_process_end(stop_calls), true);
  (void)noted;
  if (allowed_) ++calls_of_this_thread;
}

void wait_for_process_end() noexcept {
  for (;;) pause();
}

ApplicationCall::~ApplicationCall() {
  if (!allowed_) return;
  --calls_of_this_thread;
  calls().end();
}

}  // namespace clcuda
