// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_monitor.h"

#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/process_end.h"
#include "base/thread.h"
#include "runtime/object.h"

namespace clcuda {
namespace {

constexpr std::chrono::milliseconds kRound{250};
// Rounds without work before the thread sleeps, so that a program that waits for each command does not wake it for each.
constexpr int kIdleRounds = 20;

// Initialised at compile time, never destroyed, and without allocations, because monitors are started in noexcept functions.
struct DeviceMonitors {
  Mutex mutex LOCK_RANK(device_monitors);
  DeviceMonitor* last GUARDED_BY(mutex) = nullptr;  // the one whose thread was started last
  bool stop_at_end GUARDED_BY(mutex) = false, stopped GUARDED_BY(mutex) = false;
};
constinit DeviceMonitors device_monitors;

}  // namespace

// The driver must not be called while it shuts down at process exit. After a fork, the threads exist in the parent only.
void DeviceMonitor::stop_all() noexcept {
  if (lost_by_fork()) return;
  DeviceMonitor* last = nullptr;
  {
    MutexLock lock(device_monitors.mutex);
    last = std::exchange(device_monitors.last, nullptr);
    device_monitors.stopped = true;
  }
  // Without the lock: stop() waits for the monitor's round, which may wait for a thread that is starting another monitor.
  for (DeviceMonitor* monitor = last; monitor; monitor = monitor->before_) monitor->stop();
}

// The monitor is entered in the list before its thread starts, so that process exit always stops it.
bool DeviceMonitor::start() noexcept {
  MutexLock lock(device_monitors.mutex);
  if (device_monitors.stopped) return false;
  try {
    if (!device_monitors.stop_at_end) at_process_end([] { stop_all(); });
    device_monitors.stop_at_end = true;
    before_ = std::exchange(device_monitors.last, this);
    if (start_thread("clcuda-monitor", [this] { run(); })) return true;
    device_monitors.last = before_;
  } catch (const std::exception&) {
    // No memory to register the exit handler.
  }
  log::error("no thread to look after the device");
  return false;
}

void DeviceMonitor::wake_thread() noexcept {
  MutexLock lock(mutex_);
  asleep_ = false;
  changed_.notify_one();
  if (started_ || stopped_) return;
  started_ = start();
  if (!started_) asleep_ = true;
}

void DeviceMonitor::stop() noexcept {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  MutexLock round(round_);
}

void DeviceMonitor::run() noexcept {
  for (int idle = 0;;) {
    {
      MutexLock lock(mutex_);
      if (!stopped_) changed_.wait_for(lock.native(), kRound);
      if (stopped_) return;
    }
    // Set before the last look, so that a thread that submits work after that look wakes this one.
    if (idle >= kIdleRounds) asleep_ = true;
    {
      MutexLock round(round_);
      MutexLock lock(mutex_);
      if (stopped_) return;
      lock.unlock();
      idle = look_() ? 0 : idle + 1;
    }
    if (idle == 0) asleep_ = false;
    MutexLock lock(mutex_);
    while (asleep_ && !stopped_) {
      changed_.wait(lock.native());
      idle = 0;
    }
  }
}

}  // namespace clcuda
