// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda {

class DeviceMemory;

// The memory for tasks that kernels enqueue (builtins/device_tasks.h): one block for each stream, which its launches use one after another.
class TaskMemory {
 public:
  explicit TaskMemory(DeviceMemory& memory) : memory_(memory) {}
  TaskMemory(const TaskMemory&) = delete;
  TaskMemory& operator=(const TaskMemory&) = delete;

  // The stream's block, allocated on first use. The context is current. Throws what DeviceMemory::allocate() does.
  CUdeviceptr of(cuda::Stream& stream);
  // Frees the stream's block after its work: the next launch gets another.
  void forget(cuda::Stream& stream) noexcept;

 private:
  void free(CUdeviceptr address, cuda::Stream& stream) noexcept;

  DeviceMemory& memory_;
  Mutex mutex_ LOCK_RANK(task_memory);
  std::map<const cuda::Stream*, CUdeviceptr> addresses_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
