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

// All memory of a device: device memory, CUDA arrays, page-locked memory, shared virtual memory. Freed memory goes to pools. It is returned
// to the driver when an allocation fails, or when the device has been idle for a while.
class DeviceMemory {
 public:
  // `request_check` wakes the device's monitor (DeviceMonitor::wake), which calls release_reached().
  DeviceMemory(Device& device, DeviceLoss& loss, StreamPool& streams, SideStreams& side_streams,
               std::function<void()> request_check);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Device memory for work submitted to `stream` from now on; `size` in bytes. If the driver has none, unused memory is reclaimed first.
  // Throws Error(CL_MEM_OBJECT_ALLOCATION_FAILURE).
  using Sharing = cuda::MemoryPool::Sharing;
  CUdeviceptr allocate(std::size_t size, cuda::Stream& stream, Sharing sharing = Sharing::own_device);
  // Frees the memory after the work that is now in these streams, without waiting. If the driver lacks memory for that, it is retried
  // later.
  using Users = std::span<cuda::Stream* const>;
  void free(CUdeviceptr address, Users users) noexcept;
  // The same for CUDA arrays; `levels` as in cuda::Array.
  std::unique_ptr<cuda::Array> allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                                              cuda::Stream& stream);
  void free(std::unique_ptr<cuda::Array> array, Users users) noexcept;

  // Enables peer access between the pools of both devices, once, before streams of this device read the other's memory: copies then go
  // directly over the bus if the hardware allows it. On return it is there, even if another thread has enabled it.
  void enable_peer_access(DeviceMemory& other);

  // Page-locked host memory, with the same reclaiming, returned to the pool on destruction. The context is current. Throws DriverError.
  cuda::PinnedBlock allocate_pinned(std::size_t size);
  std::shared_ptr<cuda::PinnedBlock> lend_pinned(std::size_t size);
  // The same for staging blocks of pageable transfers, which staging_bytes() counts.
  std::shared_ptr<cuda::PinnedBlock> lend_staging(std::size_t size);
  // Blocks of kStagingBlock bytes for a transfer of `size` bytes by pieces, `wanted` at most: unused ones, and new ones within an eighth of
  // the bytes that were transferred so. Page-locking memory takes longer than transferring as much: 0.4 ms a MiB on an H200.
  static constexpr std::size_t kStagingBlock = 2 << 20;
  std::vector<cuda::PinnedBlock> take_staging(std::size_t size, std::size_t wanted);
  // Adds to staging_bytes() what a held command will need, so that not all held commands choose a staging block at the same time;
  // end_promise() subtracts it again.
  void promise_staging(std::size_t size) noexcept {
    staging_bytes_.fetch_add(size, std::memory_order_relaxed);
  }
  void end_promise(std::size_t size) noexcept { staging_bytes_.fetch_sub(size, std::memory_order_relaxed); }
  std::size_t staging_bytes() const noexcept { return staging_bytes_.load(std::memory_order_relaxed); }
  // Keeps a block until the work now in `stream` has completed; if it cannot be kept, waits for that work.
  void keep_until_reached(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block) noexcept;

  // Memory with one address for host and devices (SvmAllocation), with the same reclaiming and error. To be returned with
  // shared().give_back().
  cuda::SharedPool::Block allocate_shared(std::size_t size);
  cuda::SharedPool& shared() { return shared_; }

  // Calls `allocate`; on CUDA_ERROR_OUT_OF_MEMORY, reclaims unused memory and calls it again. The context is current.
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
  // Returns all unused memory to the driver. Waits for the device; its context is current.
  void reclaim() noexcept;
  // Returns unused page-locked and shared memory to the driver if there is much of it and the device is idle, so that nothing waits.
  void trim_unused() noexcept;
  // Returns nearly all unused memory, for other processes, once the device has been idle for a while.
  void trim_all_unused() noexcept;
  // Releases blocks whose streams have completed, and retries deferred frees; returns whether any remain. The context is current.
  bool release_reached();

 private:
  bool has_access_to(const DeviceMemory& other);
  void note_access_to(const DeviceMemory& other);
  void free_behind(CUdeviceptr address, Users users);
  void free_the_unfreed() noexcept;
  void log_what_is_kept();

  Device& device_;
  const cuda::DeviceContext& context_;
  DeviceLoss& loss_;
  StreamPool& streams_;
  SideStreams& side_streams_;
  const std::function<void()> request_check_;
  std::unique_ptr<cuda::MemoryPool> memory_;
  cuda::PinnedPool pinned_;
  cuda::SharedPool shared_;
  cuda::ArrayPool arrays_;
  const std::size_t shared_kept_;  // unused, while the device is idle for short times only
  BlocksInFlight in_flight_;
  std::atomic<std::size_t> staging_bytes_ = 0;
  std::atomic<std::uint64_t> staged_ = 0, made_for_staging_ = 0;  // bytes so far
  struct Unfreed {
    CUdeviceptr address;
    std::vector<cuda::Stream*> users;
  };
  Mutex mutex_ LOCK_RANK(device_memory);
  std::vector<Unfreed> unfreed_ GUARDED_BY(mutex_);
  std::vector<const DeviceMemory*> peers_ GUARDED_BY(mutex_);  // with access in both directions
};

}  // namespace clcuda
