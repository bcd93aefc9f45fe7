// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda::cuda {

// The driver's plain memory, for the first blocks of a process: the driver takes 7 ms and 15 MB of the host's memory over the first
// allocation from any pool, and many programs never need one. To free plain memory waits for the device. So what is given back stays here,
// and serves in stream order, as a pool's memory does, whoever wants about as much, until trim().
//
// Never more than some dozens of blocks: who needs many needs what pools do with them.
class BootstrapAllocator {
 public:
  explicit BootstrapAllocator(const DriverTable& driver) : driver_(driver) {}
  BootstrapAllocator(const BootstrapAllocator&) = delete;
  BootstrapAllocator& operator=(const BootstrapAllocator&) = delete;

  // Usable by what is recorded into `stream` from now on; 0 where a pool is to serve. The context is current, here and below.
  CUdeviceptr allocate(std::size_t size, const Stream& stream);
  // Of no use to anything but what `stream` holds now. False, and nothing done, for memory that is not from here.
  bool free(CUdeviceptr address, Stream& stream);
  // Gives back to the driver what nobody uses. Waits for the device.
  void trim() noexcept;

 private:
  struct Block {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    const Stream* last = nullptr;  // in which it was freed; null while it is in use
    Event freed;
  };

  CUdeviceptr take_free(std::size_t size, const Stream& stream) REQUIRES(mutex_);
  Block* find_used(CUdeviceptr address) REQUIRES(mutex_);

  const DriverTable& driver_;
  Mutex mutex_ LOCK_RANK(bootstrap_allocator);
  std::vector<Block> blocks_ GUARDED_BY(mutex_);
  // Of the blocks and of those that are being allocated.
  std::size_t count_ GUARDED_BY(mutex_) = 0, bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::cuda
