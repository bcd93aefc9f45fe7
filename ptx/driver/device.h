// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ptx/driver/arena.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// Limits of a block's shared memory: by default, and with CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
constexpr std::uint32_t kSharedBytes = 48 << 10, kSharedBytesOptIn = 227 << 10;
constexpr std::uint32_t kMaxBlockThreads = 1024, kWarpSize = 32;

// A CUDA device: memory of its own, and the threads that execute its blocks.
class Device {
 public:
  Device(int ordinal, std::size_t memory_bytes);

  int ordinal() const { return ordinal_; }
  std::string name() const;
  Arena& memory() { return memory_; }
  WorkerPool& pool() { return pool_; }

  // The handle of its primary context, the same from retain to retain.
  CUcontext context_handle() const;
  static std::optional<int> ordinal_of(CUcontext handle);  // nothing if it is none

 private:
  const int ordinal_;
  Arena memory_;
  WorkerPool pool_;
};

}  // namespace clcuda::ptx::driver
