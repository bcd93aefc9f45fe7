// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace test {

// Sets user events after a short time, from its own thread.
class Setter {
 public:
  ~Setter() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void end(cl_event user, cl_int status, std::chrono::microseconds after) {
    if (clRetainEvent(user) != CL_SUCCESS) return;
    const std::lock_guard lock(mutex_);
    waiting_.push_back({user, status, after});
    changed_.notify_one();
  }
  // Waits until it has set and released all events that were passed to it.
  void wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return waiting_.empty() && !busy_; });
  }

 private:
  struct End {
    cl_event user;
    cl_int status;
    std::chrono::microseconds after;
  };
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const End next = waiting_.front();
      waiting_.pop_front();
      busy_ = true;
      lock.unlock();
      std::this_thread::sleep_for(next.after);
      clSetUserEventStatus(next.user, next.status);
      clReleaseEvent(next.user);
      lock.lock();
      busy_ = false;
      idle_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_, idle_;
  std::deque<End> waiting_;
  bool stopping_ = false, busy_ = false;
  std::thread thread_{[this] { run(); }};
};

}  // namespace test
