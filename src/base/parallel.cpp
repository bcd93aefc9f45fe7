// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <thread>

#include "base/build_stage.h"
#include "base/mutex.h"
#include "base/signal_guard.h"
#include "base/thread.h"

namespace clcuda {
namespace {

class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& body) : count_(count), body_(body) {}

  void make() noexcept {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      try {
        body_(i);
      } catch (...) {
        MutexLock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
      }
    }
  }

  void rethrow() {
    MutexLock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_ = 0;
  Mutex mutex_ LOCK_RANK(parallel_calls);
  std::exception_ptr failure_ GUARDED_BY(mutex_);
};

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& body) {
  const std::size_t most = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  const Uninterruptible waiting;  // the helpers use this thread's frames
  Calls calls(count, body);
  const std::size_t helpers = std::min(count, most) - std::min<std::size_t>(count, 1);
  std::latch ended(static_cast<std::ptrdiff_t>(helpers));
  for (std::size_t i = 0; i < helpers; ++i) {
    const bool helps = start_thread("clcuda-parallel", [&, build = BuildOfThread::current()] {
      const BuildOfThread of_thread(build);
      calls.make();
      ended.count_down();
    });
    if (!helps) ended.count_down();  // the threads that exist make all calls
  }
  calls.make();
  ended.wait();
  calls.rethrow();
}

}  // namespace clcuda
