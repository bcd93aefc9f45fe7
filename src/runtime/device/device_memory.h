// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "cuda/array_pool.h"
#include "cuda/error.h"
#include "cuda/memory.h"
#include "cuda/shared_pool.h"
#include "runtime/device/blocks_in_flight.h"
#include "runtime/device/device_loss.h"
#include "runtime/device/side_streams.h"
#include "runtime/device/stream_pool.h"

namespace clcuda {

// The memory of a device, and what the host shares with it: device memory, CUDA arrays, page-locked memory, shared virtual memory. What is
// freed goes to pools, and from there back to the driver where somebody needs it, or once the device has had nothing to do for a while.
class DeviceMemory {
 public:
  // `look_later`: something is there for the device's monitor to look at (DeviceMonitor::wake).
  DeviceMemory(Device& device, DeviceLoss& loss, StreamPool& streams, SideStreams& side_streams,
               std::function<void()> look_later);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Device memory, usable by what is recorded into `stream` from now on. Reclaims what is unused before it gives up.
  // Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  using Sharing = cuda::MemoryPool::Sharing;
  CUdeviceptr allocate(std::size_t size, cuda::Stream& stream, Sharing sharing = Sharing::own_device);
  // Freed once all that the streams hold now has run; waits for nothing. Where the driver lacks what that takes, it is tried again.
  using Users = std::span<cuda::Stream* const>;
  void free(CUdeviceptr address, Users users) noexcept;
  // CUDA arrays, in the same way.
  std::unique_ptr<cuda::Array> allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                                              cuda::Stream& stream);
  void free(std::unique_ptr<cuda::Array> array, Users users) noexcept;

  // Streams of this device are about to read that one's memory: their pools are opened to each other, once, so that the bytes go
  // straight over the bus where there is a way.
  void enable_peer_access(DeviceMemory& other);

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
  // Keeps a block from being used again before `stream` has done what it holds now; waits for that where it cannot be kept.
  void keep_until_reached(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block) noexcept;

  // Memory that the host and every device reach (SvmAllocation), with the same reclaiming and error; it is given back to the pool.
  cuda::SharedPool::Block allocate_shared(std::size_t size);
  cuda::SharedPool& shared() { return shared_; }

  // What `allocate` gives; where the driver has no memory for it, once more without what is unused. The context is current.
  template <class Allocate>
  auto reclaiming(const Allocate& allocate) {
    try {
      return allocate();
    } catch (const cuda::DriverError& error) {
      if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
    }
    reclaim();
    return allocate();
  }
  // Gives what is unused of all memory back to the driver. Waits for the device; its context is current.
  void reclaim() noexcept;
  // Gives unused memory of the host and shared memory back to the driver if it is much and the device is idle, so that nothing waits.
  void trim_unused() noexcept;
  // Gives back nearly all that is unused: others may need it, once the device has had nothing to do for a while.
  void trim_all_unused() noexcept;
  // What the streams have done with since; true if there is more to come. The context is current.
  bool release_reached();

 private:
  void free_behind(CUdeviceptr address, Users users);
  void free_the_unfreed() noexcept;

  Device& device_;
  const cuda::DeviceContext& context_;
  DeviceLoss& loss_;
  StreamPool& streams_;
  SideStreams& side_streams_;
  const std::function<void()> look_later_;
  std::unique_ptr<cuda::MemoryPool> memory_;
  cuda::PinnedPool pinned_;
  cuda::SharedPool shared_;
  cuda::ArrayPool arrays_;
  BlocksInFlight in_flight_;
  std::atomic<std::size_t> staging_bytes_ = 0;
  struct Unfreed {
    CUdeviceptr address;
    std::vector<cuda::Stream*> users;
  };
  Mutex mutex_ LOCK_RANK(device_memory);
  std::vector<Unfreed> unfreed_ GUARDED_BY(mutex_);
  std::vector<const DeviceMemory*> peers_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
