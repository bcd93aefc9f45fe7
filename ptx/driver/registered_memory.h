// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <optional>

#include "base/mutex.h"
#include "ptx/driver/arena.h"

namespace clcuda::ptx::driver {

// Memory of the program's own that it has registered: from then on it is page-locked memory like that of cuMemHostAlloc. A page belongs to
// one registration at most; what else lies in its first and last page stays pageable.
class RegisteredMemory {
 public:
  // Throws DriverError: CUDA_ERROR_INVALID_VALUE for memory that the program does not have, or may not write if it is to be writable;
  // CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED if a page of it is registered.
  void add(CUdeviceptr address, std::size_t size, bool writable, Ref<Context> context) EXCLUDES(mutex_);
  std::optional<Allocation> find(CUdeviceptr address) const EXCLUDES(mutex_);
  // False if it is no longer there.
  bool remove(CUdeviceptr address, std::uint64_t id) EXCLUDES(mutex_);
  // All that a context has registered, which is being destroyed.
  void remove_all_of(const Context& context) EXCLUDES(mutex_);

 private:
  std::atomic<std::size_t> count_ = 0;  // 0 in nearly all programs, for which find() takes no lock
  mutable Mutex mutex_ LOCK_RANK(executor_registered_memory);
  std::map<CUdeviceptr, Allocation> registrations_ GUARDED_BY(mutex_);
  std::uint64_t next_id_ GUARDED_BY(mutex_) = 1;
};

}  // namespace clcuda::ptx::driver
