// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/mutex.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/context.h"
#include "ptx/driver/free_blocks.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

class Device;
class Stream;

// Memory that is allocated and freed in the order of streams. A freed block is used again at once by
// allocations in the stream that freed it, and by all others when that stream has got past the free. What is
// free beyond the release threshold goes back to the device as soon as the free has been executed.
class MemoryPool final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::memory_pool;
  MemoryPool(Context& context, Device& device);
  ~MemoryPool() override;

  // The pool that an allocation of kind `pool` belongs to.
  static MemoryPool& of(const Allocation& allocation) { return static_cast<MemoryPool&>(*allocation.pool); }

  Context& context() const { return *context_; }
  Device& device() const { return device_; }

  // For work in `stream` from now on. Throws DriverError{CUDA_ERROR_OUT_OF_MEMORY}.
  CUdeviceptr allocate(std::size_t size, const Stream& stream) EXCLUDES(mutex_);
  // With a stream, in its order; without one, at once. Throws DriverError{CUDA_ERROR_INVALID_VALUE} if
  // nothing of this pool begins there.
  void free(CUdeviceptr address, Stream* stream) EXCLUDES(mutex_);
  // cuMemPoolTrimTo.
  void trim(std::size_t bytes_to_keep) noexcept EXCLUDES(mutex_);

  std::uint64_t attribute(CUmemPool_attribute attribute) const EXCLUDES(mutex_);
  void set_attribute(CUmemPool_attribute attribute, std::uint64_t value) EXCLUDES(mutex_);

 private:
  const Ref<Context> context_;
  Device& device_;
  mutable Mutex mutex_ LOCK_RANK(executor_memory_pool);
  FreeBlocks free_ GUARDED_BY(mutex_);
  std::uint64_t threshold_ GUARDED_BY(mutex_) = 0;
  std::uint64_t reserved_ GUARDED_BY(mutex_) = 0, reserved_high_ GUARDED_BY(mutex_) = 0;
  std::uint64_t used_ GUARDED_BY(mutex_) = 0, used_high_ GUARDED_BY(mutex_) = 0;
  // Hints of CUDA's; whichever way they are set, the rule above satisfies them.
  std::uint64_t reuse_[3] GUARDED_BY(mutex_) = {1, 1, 1};
};

}  // namespace clcuda::ptx::driver
