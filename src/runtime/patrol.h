// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <utility>

#include "base/mutex.h"

namespace clcuda {

// A thread that looks at something four times a second while there is anything to look at, and sleeps otherwise. Never destroyed once it
// has been woken.
class Patrol {
 public:
  // `look` does one round, and answers whether there was anything to look at.
  explicit Patrol(std::function<bool()> look) : look_(std::move(look)) {}
  Patrol(const Patrol&) = delete;
  Patrol& operator=(const Patrol&) = delete;

  // There is something to look at. Costs next to nothing while the thread is awake; starts it the first time.
  void wake() noexcept {
    if (asleep_.load()) [[unlikely]]
      rouse();
  }
  // At exit: returns when no round is under way, and there will be no other.
  void stop() noexcept;

 private:
  void rouse() noexcept;
  bool start() noexcept REQUIRES(mutex_);
  void run() noexcept;
  static void stop_all() noexcept;

  const std::function<bool()> look_;
  std::atomic<bool> asleep_ = true;
  Patrol* before_ = nullptr;  // the one started before this one
  Mutex mutex_ LOCK_RANK(patrol);
  std::condition_variable changed_;
  bool started_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  Mutex round_ LOCK_RANK(patrol_round);  // held during a round
};

}  // namespace clcuda
