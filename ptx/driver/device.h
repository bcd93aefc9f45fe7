// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/mutex.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/context.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// Shared memory of a block: without and with the kernel's opting in.
constexpr std::uint32_t kSharedBytes = 48 << 10, kSharedBytesOptIn = 227 << 10;
constexpr std::uint32_t kMaxBlockThreads = 1024, kWarpSize = 32;

class Device {
 public:
  Device(int ordinal, std::size_t memory_bytes);

  int ordinal() const { return ordinal_; }
  std::string name() const;
  Arena& memory() { return memory_; }
  WorkerPool& pool() { return pool_; }

  // The primary context. Its handle is the same from retain to retain.
  CUcontext handle() const;
  void retain() EXCLUDES(mutex_);
  void release() EXCLUDES(mutex_);
  Ref<Context> context() const EXCLUDES(mutex_);  // empty while nobody has retained it

 private:
  const int ordinal_;
  Arena memory_;
  WorkerPool pool_;
  mutable Mutex mutex_ LOCK_RANK(executor_device);
  int retains_ GUARDED_BY(mutex_) = 0;
  Ref<Context> context_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
