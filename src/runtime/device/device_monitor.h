// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <utility>

#include "base/mutex.h"

namespace clcuda {

// A thread that looks at something four times a second while there is anything to look at, and sleeps
// otherwise. Never destroyed once it has been woken.
class DeviceMonitor {
 public:
  // `look` does one round, and answers whether there was anything to look at.
  explicit DeviceMonitor(std::function<bool()> look) : look_(std::move(look)) {}
  DeviceMonitor(const DeviceMonitor&) = delete;
  DeviceMonitor& operator=(const DeviceMonitor&) = delete;

  // There is something to look at. Costs next to nothing while the thread is awake; starts it the first time.
  void wake() noexcept {
    if (asleep_.load()) [[unlikely]]
      wake_thread();
  }
  // At exit: returns when no round is under way, and there will be no other.
  void stop() noexcept;

 private:
  void wake_thread() noexcept;
  bool start() noexcept REQUIRES(mutex_);
  void run() noexcept;
  static void stop_all() noexcept;

  const std::function<bool()> look_;
  std::atomic<bool> asleep_ = true;
  DeviceMonitor* before_ = nullptr;  // the one started before this one
  Mutex mutex_ LOCK_RANK(device_monitor);
  std::condition_variable changed_;
  bool started_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  Mutex round_ LOCK_RANK(device_monitor_round);  // held during a round
};

}  // namespace clcuda
