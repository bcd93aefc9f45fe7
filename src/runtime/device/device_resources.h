// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"
#include "runtime/device/device_clock.h"
#include "runtime/device/device_loss.h"
#include "runtime/device/device_memory.h"
#include "runtime/device/device_monitor.h"
#include "runtime/device/printf_memory.h"
#include "runtime/device/side_streams.h"
#include "runtime/device/stream_pool.h"
#include "runtime/device/task_memory.h"
#include "runtime/device/user_list.h"
#include "runtime/platform/device.h"

namespace clcuda {

class DeviceUser;

// What work on one device needs: streams, CUDA events, memory, a clock, and whether the device still lives. One per root device, made
// when a queue or buffer first needs it, kept for the life of the process (so that streams and pools outlive what lent them).
//
// When the device is lost, what was held fails, waiters wake, and contexts are told why and which kernels were in flight. A monitor looks
// at the device while any queue has work, so that a loss does not go unseen where nobody asks, and lets go of what the queues are done with.
class DeviceResources final : public DeviceLoss {
 public:
  // Without a lock once they are made.
  static DeviceResources& of(Device& device);

  Device& device() const { return device_; }
  const cuda::DeviceContext& context() const { return context_; }
  const cuda::DriverTable& driver() const { return context_.driver(); }
  cuda::EventPool& events() { return events_; }
  cuda::EventPool& timing_events() { return timing_events_; }
  DeviceClock& clock() { return clock_; }
  StreamPool& streams() { return streams_; }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }
  TaskMemory& task_memory() { return task_memory_; }
  PrintfMemory& printf_memory() { return printf_memory_; }
  // The device reads and writes pageable host memory as fast as its own program could.
  bool reaches_host_memory() const { return reaches_host_memory_; }
  // Its kernels do, by page faults, but the driver copies such memory in its own time.
  bool faults_on_host_memory() const { return faults_on_host_memory_; }

  // Launches a kernel; where the driver has no memory for that (it loads code, and makes room for stacks, when a kernel first runs), once
  // more without what is unused. The context is current. Throws DriverError.
  void launch(cuda::Stream& stream, const cuda::Function& function, const cuda::LaunchShape& shape,
              void* parameters, std::size_t size);
  // Does `job` behind the uses: at once, or by a worker; or once the device is lost. Waits for them where there is no other way.
  void call_behind(const LastUses& uses, const std::function<void()>& job) noexcept;
  // Takes back the streams of a queue that is gone; where `working`, the device's count of work is lowered when they are idle.
  void retire_streams(const std::vector<cuda::Stream*>& streams, bool working) noexcept;

  void add_user(DeviceUser& user);
  void remove_user(DeviceUser& user) noexcept;
  // A queue has work.
  void wake_monitor() noexcept { monitor_.wake(); }

 private:
  explicit DeviceResources(Device& device);
  static DeviceResources& make(Device& device);
  void tell_of_loss(const std::string& reason) noexcept override;
  void notify_users(const std::string& reason) noexcept;
  void wait_for(const LastUses& uses) noexcept;
  bool poll_users() noexcept;
  static void ask_after(const std::vector<Ref<Watched>>& commands);
  void give_back_unused(bool working) noexcept;
  std::vector<UserList<DeviceUser>::Kept> users() EXCLUDES(users_mutex_);

  Device& device_;
  const cuda::DeviceContext& context_;
  cuda::EventPool events_, timing_events_;
  DeviceClock clock_{context_, timing_events_};
  const bool reaches_host_memory_, faults_on_host_memory_;
  StreamPool streams_{context_, events_};
  SideStreams side_streams_{events_};
  DeviceMemory memory_{device_, *this, streams_, side_streams_, [this] { wake_monitor(); }};
  TaskMemory task_memory_{memory_};
  PrintfMemory printf_memory_;
  std::atomic<bool> untold_ = false;  // of a loss that the monitor has to tell of
  Mutex users_mutex_ LOCK_RANK(device_resources_users);
  UserList<DeviceUser> users_ GUARDED_BY(users_mutex_);
  int idle_looks_ = 0;  // of the monitor's, one after another
  // The last member, and nothing behind it can throw: its thread is never to look at what is being destroyed.
  DeviceMonitor monitor_{[this] { return poll_users(); }};
};

}  // namespace clcuda
