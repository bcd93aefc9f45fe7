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
#include "runtime/device.h"
#include "runtime/device_clock.h"
#include "runtime/patrol.h"

namespace clcuda {

class Command;
class CommandQueue;

// What work on one device needs: streams, CUDA events, memory, a clock, and whether the device still lives. One per root device, made
// when a queue or buffer first needs it, kept for the life of the process (so that streams and pools outlive what lent them).
//
// The device is lost at its first fatal CUresult and stays so: what was held fails, waiters wake, contexts are
// told why and which kernels were in flight, and everything later is refused at once. A patrol looks at the device while any queue
// has work, so that a loss does not go unseen where nobody asks, and lets go of what the queues are done with.
class Engine {
 public:
  static Engine& of(Device& device);

  Device& device() const { return device_; }
  const cuda::DeviceContext& context() const { return context_; }
  const cuda::DriverTable& driver() const { return context_.driver(); }
  cuda::EventPool& events() { return events_; }
  cuda::EventPool& timing_events() { return timing_events_; }
  DeviceClock& clock() { return clock_; }
  // The device reads and writes pageable host memory as fast as its own program could.
  bool reaches_host_memory() const { return reaches_host_memory_; }

  // Streams are lent (LentStream, for a scope), and lent again once idle; none is destroyed. In a partition of the device, or on all
  // of it.
  cuda::Stream& acquire_stream(const cuda::Partition* partition = nullptr);
  void release_stream(cuda::Stream& stream) noexcept;

  // For the first contents of memory objects, which nobody waits for.
  cuda::Stream& upload_stream();

  // Takes back the streams of a queue that is gone; where `working`, the device's count of work is lowered when they are idle.
  void retire_streams(std::vector<cuda::Stream*> streams, bool working) noexcept;

  // Device memory, usable by what is recorded into `stream` from now on. Reclaims what is unused before it gives up.
  // Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  using Reach = cuda::MemoryPool::Reach;
  CUdeviceptr allocate(std::size_t size, cuda::Stream& stream, Reach reach = Reach::own_device);
  // Freed once all that the streams hold now has run; waits for nothing. Where the driver lacks what that takes, it is tried again.
  void free(CUdeviceptr address, const std::vector<cuda::Stream*>& users) noexcept;

  // Streams of this device are about to read that one's memory: their pools are opened to each other, once, so that the bytes go
  // straight over the bus where there is a way.
  void reach(Engine& other);

  // Page-locked memory of the host, with the same reclaiming; it goes back to the pool. The context is current.
  // Throws DriverError.
  cuda::PinnedBlock allocate_pinned(std::size_t size);
  std::shared_ptr<cuda::PinnedBlock> lend_pinned(std::size_t size);
  // Memory that the host and every device reach (SvmAllocation), with the same reclaiming and error; it is given back to the pool.
  cuda::SharedPool::Block allocate_shared(std::size_t size);
  cuda::SharedPool& shared() { return shared_; }
  // Gives unused memory of the host and shared memory back to the driver if it is much and the device is idle, so that nothing waits.
  void trim_unused() noexcept;
  // CUDA arrays, as allocate() and free() have memory.
  std::unique_ptr<cuda::Array> allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                                              cuda::Stream& stream);
  void free(std::unique_ptr<cuda::Array> array, const std::vector<cuda::Stream*>& users) noexcept;

  // The memory for the tasks of what `stream` runs (builtins/device_tasks.h): the same for every launch, one after another.
  CUdeviceptr task_memory(cuda::Stream& stream);
  // The next launch is to have other memory.
  void forget_tasks(cuda::Stream& stream) noexcept;

  // Keeps page-locked memory from being used again before `stream` has done what it holds now.
  void keep_until_reached(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block);
  // Bytes that are kept so; there should not be more than some dozens of MiB.
  std::size_t kept_bytes() const noexcept { return kept_bytes_.load(std::memory_order_relaxed); }

  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // Throws Error(CL_OUT_OF_RESOURCES) if the device is lost.
  void require_alive() const;
  // To be told of every driver error seen; returns the OpenCL code for it.
  cl_int note(CUresult result, const char* where) noexcept;
  cl_int note(const std::exception& error) noexcept;

  void add_queue(CommandQueue& queue);
  void remove_queue(CommandQueue& queue) noexcept;
  // A queue has work.
  void wake_patrol() noexcept { patrol_.wake(); }

 private:
  explicit Engine(Device& device);
  template <class Allocate>
  auto reclaiming(const Allocate& allocate);
  void reclaim_memory() noexcept;
  void free_behind(CUdeviceptr address, const std::vector<cuda::Stream*>& users);
  void free_the_unfreed() noexcept;
  void lose(const std::string& reason) noexcept;
  void tell_queues(const std::string& reason) noexcept;
  bool look_after_queues() noexcept;
  bool let_go_of_kept(std::size_t last) REQUIRES(mutex_);
  void let_go_of_all_kept() REQUIRES(mutex_);

  Device& device_;
  const cuda::DeviceContext& context_;
  cuda::EventPool events_, timing_events_;
  DeviceClock clock_{context_, timing_events_};
  const bool reaches_host_memory_;
  std::unique_ptr<cuda::MemoryPool> memory_;
  cuda::PinnedPool pinned_;
  cuda::SharedPool shared_;
  cuda::ArrayPool arrays_;
  std::atomic<bool> lost_ = false;
  std::atomic<bool> untold_ = false;  // of a loss that the patrol has to tell of
  Mutex mutex_;
  std::vector<std::unique_ptr<cuda::Stream>> streams_ GUARDED_BY(mutex_);  // all there are
  std::unique_ptr<cuda::Stream> upload_stream_ GUARDED_BY(mutex_);         // once it is needed
  std::vector<cuda::Stream*> idle_streams_ GUARDED_BY(mutex_);             // with room for all
  struct Kept {
    const cuda::Stream* stream;
    cuda::Event reached;
    std::shared_ptr<cuda::PinnedBlock> block;
  };
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  struct Unfreed {
    CUdeviceptr address;
    std::vector<cuda::Stream*> users;
  };
  std::vector<Unfreed> unfreed_ GUARDED_BY(mutex_);
  std::atomic<std::size_t> kept_bytes_ = 0;
  Mutex queues_mutex_;
  std::vector<CommandQueue*> queues_ GUARDED_BY(queues_mutex_);
  std::map<const cuda::Stream*, CUdeviceptr> task_memory_ GUARDED_BY(mutex_);
  std::vector<const Engine*> reached_ GUARDED_BY(mutex_);
  Patrol patrol_{[this] { return look_after_queues(); }};
};

}  // namespace clcuda
