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
#include "runtime/device/stack_limit.h"
#include "runtime/device/stream_pool.h"
#include "runtime/device/task_memory.h"
#include "runtime/device/user_list.h"
#include "runtime/platform/device.h"

namespace clcuda {

class DeviceUser;

// The resources of one device: streams, CUDA events, memory, a clock, and whether the device is lost. There is one object per root device.
// It is created when a queue or buffer first needs it, and is never destroyed, so that streams and pools outlive their users.
//
// When the device is lost, held commands fail, waiting threads return, and contexts are notified of the reason and the kernels in flight.
// A monitor polls the device while any queue has work, so that a loss is detected even if no thread waits, and releases what completed
// commands held.
class DeviceResources final : public DeviceLoss {
 public:
  // Creates the object on first use; takes no lock afterwards. Throws the errors of Device::context().
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
  StackLimit& stack_limit() { return stack_limit_; }
  PrintfMemory& printf_memory() { return printf_memory_; }
  // The device accesses pageable host memory through the host's page tables
  // (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES).
  bool reaches_host_memory() const { return reaches_host_memory_; }
  // Kernels access pageable host memory by page faults (heterogeneous memory management), but the driver's copies of it are not in stream
  // order.
  bool faults_on_host_memory() const { return faults_on_host_memory_; }

  // Launches a kernel. If the driver has no memory (for code or stacks, when a kernel first runs), reclaims unused memory and tries again.
  // The context is current. Throws DriverError. `timing` as for cuda::Stream::launch.
  void launch(cuda::Stream& stream, const cuda::Function& function, const cuda::LaunchShape& shape,
              void* parameters, std::size_t size, cuda::Timing* timing = nullptr);
  // Calls `job` when the uses have completed or the device is lost: on the calling thread if they already have, otherwise on a worker
  // thread. If that is impossible, the calling thread waits for the uses.
  void call_behind(const LastUses& uses, const std::function<void()>& job) noexcept;
  // Returns the streams of a destroyed queue to the pool. `working`: Device::work_ended() is called when they are idle.
  void retire_streams(const std::vector<cuda::Stream*>& streams, bool working) noexcept;

  // Users are polled by the monitor and notified of a loss, until they are removed.
  void add_user(DeviceUser& user);
  void remove_user(DeviceUser& user) noexcept;
  // To be called when a queue has work.
  void wake_monitor() noexcept { monitor_.wake(); }

 private:
  explicit DeviceResources(Device& device);
  static DeviceResources& make(Device& device);
  void on_lost(const std::string& reason) noexcept override;
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
  StackLimit stack_limit_;
  PrintfMemory printf_memory_;
  std::atomic<bool> loss_pending_ = false;  // the monitor has to notify of a loss
  Mutex users_mutex_ LOCK_RANK(device_resources_users);
  UserList<DeviceUser> users_ GUARDED_BY(users_mutex_);
  int idle_looks_ = 0;  // consecutive rounds of the monitor without work
  // Must be the last member: if construction failed after it, its thread could access destroyed members.
  DeviceMonitor monitor_{[this] { return poll_users(); }};
};

}  // namespace clcuda
