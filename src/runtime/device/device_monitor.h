// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <utility>

#include "base/mutex.h"

namespace clcuda {

// A thread that calls a function every 250 ms while that function finds work, and sleeps otherwise. Never destroyed once it has been
// woken.
class DeviceMonitor {
 public:
  // `look` performs one round and returns whether there was any work.
  explicit DeviceMonitor(std::function<bool()> look) : look_(std::move(look)) {}
  DeviceMonitor(const DeviceMonitor&) = delete;
  DeviceMonitor& operator=(const DeviceMonitor&) = delete;

  // Resumes the rounds; the first call starts the thread. Costs one atomic load while the thread is awake.
  void wake() noexcept {
    if (asleep_.load()) [[unlikely]]
      wake_thread();
  }
  // For exit(): prevents further rounds and waits for the current one.
  void stop() noexcept;

 private:
  void wake_thread() noexcept;
  bool start() noexcept REQUIRES(mutex_);
  void run() noexcept;
  static void stop_all() noexcept;

  const std::function<bool()> look_;
  std::atomic<bool> asleep_ = true;
  DeviceMonitor* before_ = nullptr;  // the monitor that was started before this one
  Mutex mutex_ LOCK_RANK(device_monitor);
  std::condition_variable changed_;
  bool started_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  Mutex round_ LOCK_RANK(device_monitor_round);  // held during a round
};

}  // namespace clcuda
