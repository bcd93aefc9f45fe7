// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda::cuda {

// Allocates the first blocks of a process with cuMemAlloc, because the first allocation from a memory pool takes 7 ms and 15 MB of host
// memory, and many programs need no pool. cuMemFree waits for the device. Freed blocks are therefore kept and reused, in stream order like
// a pool's memory, for allocations of about the same size, until trim().
//
// Limited to some dozens of blocks: programs with more are better served by pools.
class BootstrapAllocator {
 public:
  explicit BootstrapAllocator(const DriverTable& driver) : driver_(driver) {}
  BootstrapAllocator(const BootstrapAllocator&) = delete;
  BootstrapAllocator& operator=(const BootstrapAllocator&) = delete;

  // Memory for work submitted to `stream` from now on; 0 if the caller must use a pool. The context is current, here and below.
  CUdeviceptr allocate(std::size_t size, const Stream& stream);
  // Frees a block after the work now in `stream`. Returns false and does nothing if the memory is not from this allocator.
  bool free(CUdeviceptr address, Stream& stream);
  // Returns unused blocks to the driver. Waits for the device.
  void trim() noexcept;

 private:
  struct Block {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    const Stream* last = nullptr;  // stream in which it was freed; null while in use
    Event freed;
  };

  CUdeviceptr take_free(std::size_t size, const Stream& stream) REQUIRES(mutex_);
  Block* find_used(CUdeviceptr address) REQUIRES(mutex_);

  const DriverTable& driver_;
  Mutex mutex_ LOCK_RANK(bootstrap_allocator);
  std::vector<Block> blocks_ GUARDED_BY(mutex_);
  // Allocated blocks and those being allocated.
  std::size_t count_ GUARDED_BY(mutex_) = 0, bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::cuda
