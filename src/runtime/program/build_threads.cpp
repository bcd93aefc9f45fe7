// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/build_threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/mutex.h"
#include "base/process_end.h"
#include "base/thread.h"
#include "runtime/object.h"
#include "runtime/platform/application_call.h"

namespace clcuda {
namespace {

class BuildThreads {
 public:
  struct Work {
    std::function<void()> build, tell;
  };

  void add(Work work) {
    MutexLock lock(mutex_);
    waiting_.push_back(std::move(work));
    serve_waiting();
    if (threads_ > 0) return;
    waiting_.pop_back();
    throw Error(CL_OUT_OF_RESOURCES, "no thread to build on");
  }

  // For exit(): no further build begins. Waits for those that have begun, but not for long: they can go on until the process is gone, which
  // destroys nothing that they use (process_end.h).
  void stop() noexcept {
    constexpr std::chrono::seconds kPatience{1};
    if (lost_by_fork()) return;  // the threads are the parent's
    MutexLock lock(mutex_);
    stopped_ = true;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (busy_ > 0)
      if (ended_.wait_until(lock.native(), end) == std::cv_status::timeout) return;
  }

 private:
  static constexpr std::size_t kMostThreads = 64;
  static std::size_t most_builds() { return std::clamp(std::thread::hardware_concurrency(), 1u, 8u); }

  // Wakes or starts a thread for a build that waits. Callbacks may wait for other builds, so threads that call them are not among those
  // that build.
  void serve_waiting() REQUIRES(mutex_) {
    if (waiting_.empty()) return;
    if (waiting_.size() > idle_ && threads_ - telling_ < most_builds() && threads_ < kMostThreads &&
        start_thread("clcuda-build", [this] { serve(); }))
      ++threads_;
    changed_.notify_one();
  }

  void serve() noexcept {
    MutexLock lock(mutex_);
    do {
      ++idle_;
      while (waiting_.empty() || stopped_) changed_.wait(lock.native());
      --idle_;
      Work work = std::move(waiting_.front());
      waiting_.pop_front();
      ++busy_;
      lock.unlock();
      work.build();
      lock.lock();
      --busy_;
      ended_.notify_all();
      ++telling_;
      serve_waiting();
      lock.unlock();
      if (!call_application(work.tell)) wait_for_process_end();
      work = {};
      lock.lock();
      --telling_;
    } while (threads_ - telling_ <= most_builds());
    --threads_;
  }

  Mutex mutex_ LOCK_RANK(build_threads);
  std::condition_variable changed_, ended_;
  std::deque<Work> waiting_ GUARDED_BY(mutex_);
  // All threads; of these, those that wait for work, build, and call callbacks.
  std::size_t threads_ GUARDED_BY(mutex_) = 0, idle_ GUARDED_BY(mutex_) = 0, busy_ GUARDED_BY(mutex_) = 0,
                       telling_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
};

BuildThreads& build_threads() {
  static BuildThreads& threads = *[] {
    auto* made = new BuildThreads;  // never destroyed: its threads wait on it until the process is gone
    at_process_end([] { build_threads().stop(); });
    return made;
  }();
  return threads;
}

}  // namespace

void build_in_background(std::function<void()> build, std::function<void()> tell) {
  build_threads().add({std::move(build), std::move(tell)});
}

}  // namespace clcuda
