// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "cuda/array_pool.h"
#include "cuda/memory.h"
#include "cuda/shared_pool.h"
#include "cuda/stream.h"
#include "runtime/device/device_clock.h"
#include "runtime/device/device_monitor.h"
#include "runtime/device/printf_memory.h"
#include "runtime/device/side_streams.h"
#include "runtime/platform/device.h"

namespace clcuda {

class DeviceUser;

// What work on one device needs: streams, CUDA events, memory, a clock, and whether the device still lives. One per root device, made
// when a queue or buffer first needs it, kept for the life of the process (so that streams and pools outlive what lent them).
//
// The device is lost at its first fatal CUresult and stays so: what was held fails, waiters wake, contexts are
// told why and which kernels were in flight, and everything later is refused at once. A monitor looks at the device while any queue
// has work, so that a loss does not go unseen where nobody asks, and lets go of what the queues are done with.
class DeviceResources {
 public:
  // Without a lock once they are made.
  static DeviceResources& of(Device& device);

  Device& device() const { return device_; }
  const cuda::DeviceContext& context() const { return context_; }
  const cuda::DriverTable& driver() const { return context_.driver(); }
  cuda::EventPool& events() { return events_; }
  cuda::EventPool& timing_events() { return timing_events_; }
  DeviceClock& clock() { return clock_; }
  PrintfMemory& printf_memory() { return printf_memory_; }
  // The device reads and writes pageable host memory as fast as its own program could.
  bool reaches_host_memory() const { return reaches_host_memory_; }

  // Streams are lent (ScopedStream, for a scope), and lent again once idle; none is destroyed. In a partition of the device, or on all
  // of it.
  cuda::Stream& acquire_stream(const cuda::Partition* partition = nullptr);
  void release_stream(cuda::Stream& stream) noexcept;

  // For the first contents of memory objects, which nobody waits for.
  cuda::Stream& upload_stream();

  // Takes back the streams of a queue that is gone; where `working`, the device's count of work is lowered when they are idle.
  void retire_streams(const std::vector<cuda::Stream*>& streams, bool working) noexcept;

  // Device memory, usable by what is recorded into `stream` from now on. Reclaims what is unused before it gives up.
  // Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  using Sharing = cuda::MemoryPool::Sharing;
  CUdeviceptr allocate(std::size_t size, cuda::Stream& stream, Sharing sharing = Sharing::own_device);
  // Does `job` behind the uses: at once, or by a worker; or once the device is lost.
  void call_behind(const LastUses& uses, const std::function<void()>& job) noexcept;
  // Freed once all that the streams hold now has run; waits for nothing. Where the driver lacks what that takes, it is tried again.
  void free(CUdeviceptr address, const std::vector<cuda::Stream*>& users) noexcept;

  // Streams of this device are about to read that one's memory: their pools are opened to each other, once, so that the bytes go
  // straight over the bus where there is a way.
  void enable_peer_access(DeviceResources& other);

  // Gives what is unused of all memory back to the driver. Waits for the device; its context is current.
  void reclaim_memory() noexcept;

  // Page-locked memory of the host, with the same reclaiming; it goes back to the pool. The context is current.
  // Throws DriverError.
  cuda::PinnedBlock allocate_pinned(std::size_t size);
  std::shared_ptr<cuda::PinnedBlock> lend_pinned(std::size_t size);
  // The same for what is on its way between pageable memory and the device, and how much of it there is.
  std::shared_ptr<cuda::PinnedBlock> lend_staging(std::size_t size);
  // Counts what is sure to be lent later, and no longer, lest commands that are held are all given some at once.
  void promise_staging(std::size_t size) noexcept {
    staging_bytes_.fetch_add(size, std::memory_order_relaxed);
  }
  void end_promise(std::size_t size) noexcept { staging_bytes_.fetch_sub(size, std::memory_order_relaxed); }
  std::size_t staging_bytes() const noexcept { return staging_bytes_.load(std::memory_order_relaxed); }
  // Memory that the host and every device reach (SvmAllocation), with the same reclaiming and error; it is given back to the pool.
  cuda::SharedPool::Block allocate_shared(std::size_t size);
  cuda::SharedPool& shared() { return shared_; }
  // Gives unused memory of the host and shared memory back to the driver if it is much and the device is idle, so that nothing waits.
  void trim_unused() noexcept;
  // Gives back nearly all that is unused: others may need it, once the device has had nothing to do for a while.
  void trim_all_unused() noexcept;
  // CUDA arrays, as allocate() and free() have memory.
  std::unique_ptr<cuda::Array> allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                                              cuda::Stream& stream);
  void free(std::unique_ptr<cuda::Array> array, const std::vector<cuda::Stream*>& users) noexcept;

  // Launches a kernel; where the driver has no memory for that (it loads code, and makes room for stacks, when a kernel first runs), once
  // more without what is unused. The context is current. Throws DriverError.
  void launch(cuda::Stream& stream, const cuda::Function& function, const cuda::LaunchShape& shape,
              void* parameters, std::size_t size);

  // The memory for the tasks of what `stream` runs (builtins/device_tasks.h): the same for every launch, one after another.
  CUdeviceptr task_memory(cuda::Stream& stream);
  // The next launch is to have other memory.
  void forget_tasks(cuda::Stream& stream) noexcept;

  // Keeps page-locked memory from being used again before `stream` has done what it holds now; waits for that where it cannot be kept.
  void keep_until_reached(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block) noexcept;

  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // Throws Error(CL_OUT_OF_RESOURCES) if the device is lost.
  void require_alive() const;
  // To be told of every driver error seen; returns the OpenCL code for it.
  cl_int report_error(CUresult result, const char* where) noexcept;
  cl_int report_error(const std::exception& error) noexcept;

  void add_user(DeviceUser& user);
  void remove_user(DeviceUser& user) noexcept;
  // A queue has work.
  void wake_monitor() noexcept { monitor_.wake(); }

 private:
  explicit DeviceResources(Device& device);
  static DeviceResources& make(Device& device);
  template <class Allocate>
  auto reclaiming(const Allocate& allocate);
  void free_behind(CUdeviceptr address, const std::vector<cuda::Stream*>& users);
  void free_the_unfreed() noexcept;
  std::vector<CUstream> all_streams() EXCLUDES(mutex_);
  cuda::Stream* take_idle_stream(const cuda::Partition* partition);
  void lose(const std::string& reason) noexcept;
  void notify_users(const std::string& reason) noexcept;
  bool poll_users() noexcept;
  static void ask_after(const std::vector<Ref<Watched>>& commands);
  struct KeptUser {
    DeviceUser* user;
    Ref<RefCounted> kept;
  };
  std::vector<KeptUser> users() EXCLUDES(users_mutex_);
  void keep(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block);
  bool release_kept(std::size_t last) REQUIRES(mutex_);
  void release_all_kept() REQUIRES(mutex_);

  Device& device_;
  const cuda::DeviceContext& context_;
  cuda::EventPool events_, timing_events_;
  DeviceClock clock_{context_, timing_events_};
  const bool reaches_host_memory_;
  std::unique_ptr<cuda::MemoryPool> memory_;
  cuda::PinnedPool pinned_;
  cuda::SharedPool shared_;
  cuda::ArrayPool arrays_;
  SideStreams side_streams_{events_};
  PrintfMemory printf_memory_;
  std::atomic<bool> lost_ = false;
  std::atomic<bool> untold_ = false;  // of a loss that the monitor has to tell of
  Mutex mutex_ LOCK_RANK(device_resources);
  std::vector<std::unique_ptr<cuda::Stream>> streams_ GUARDED_BY(mutex_);  // all there are
  std::unique_ptr<cuda::Stream> upload_stream_ GUARDED_BY(mutex_);         // once it is needed
  // The longest idle first. Some may still have work that was left in them.
  std::deque<cuda::Stream*> idle_streams_ GUARDED_BY(mutex_);
  struct Kept {
    const cuda::Stream* stream;
    cuda::Event reached;
    std::uint64_t before, after;  // the time on marks_ before `reached` was recorded, and after
    std::shared_ptr<cuda::PinnedBlock> block;
  };
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> marks_ = 0;
  std::size_t kept_bytes_ GUARDED_BY(mutex_) = 0;
  std::atomic<std::size_t> staging_bytes_ = 0;
  struct Unfreed {
    CUdeviceptr address;
    std::vector<cuda::Stream*> users;
  };
  std::vector<Unfreed> unfreed_ GUARDED_BY(mutex_);
  Mutex users_mutex_ LOCK_RANK(device_resources_users);
  std::vector<DeviceUser*> users_ GUARDED_BY(users_mutex_);
  std::map<const cuda::Stream*, CUdeviceptr> task_memory_ GUARDED_BY(mutex_);
  std::vector<const DeviceResources*> peers_ GUARDED_BY(mutex_);
  int idle_looks_ = 0;  // of the monitor's, one after another
  // The last member, and nothing behind it can throw: its thread is never to look at what is being destroyed.
  DeviceMonitor monitor_{[this] { return poll_users(); }};
};

}  // namespace clcuda
