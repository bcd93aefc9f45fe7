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
// So that programs that finish each of their commands do not wake the thread for each.
constexpr int kIdleRounds = 20;

// Neither made nor destroyed at run time, nor does it need memory: a monitor starts where no exception may
// leave.
struct DeviceMonitors {
  Mutex mutex LOCK_RANK(device_monitors);
  DeviceMonitor* last GUARDED_BY(mutex) = nullptr;  // of those whose threads have been started
  bool stop_at_end GUARDED_BY(mutex) = false, stopped GUARDED_BY(mutex) = false;
};
constinit DeviceMonitors device_monitors;

}  // namespace

// The driver is not to be asked while it goes down with the process. After a fork the threads are the
// parent's.
void DeviceMonitor::stop_all() noexcept {
  if (lost_by_fork()) return;
  DeviceMonitor* last = nullptr;
  {
    MutexLock lock(device_monitors.mutex);
    last = std::exchange(device_monitors.last, nullptr);
    device_monitors.stopped = true;
  }
  // Behind the lock: each stops after its round, which may wait for a thread that is about to make another
  // monitor.
  for (DeviceMonitor* monitor = last; monitor; monitor = monitor->before_) monitor->stop();
}

// Noted first: from then on the process does not end without having stopped it.
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
    // No memory for the note of what is done at the end.
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
    // Announced before the last look, so that whoever is busy after it sees it.
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
