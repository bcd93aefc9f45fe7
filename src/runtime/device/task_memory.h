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
  // Raises CUDA's limit on pending device-side launches, which is too low for programs that enqueue on the device. A higher one of the
  // application's is kept; if it sets a lower one later, that stays. To be called before such a program's first launch. The context is
  // current; throws DriverError.
  void make_room_for_launches(const cuda::DeviceContext& context);
  // Frees the stream's block after its work: the next launch gets another.
  void forget(cuda::Stream& stream) noexcept;

 private:
  void free(CUdeviceptr address, cuda::Stream& stream) noexcept;

  DeviceMemory& memory_;
  Mutex limit_mutex_ LOCK_RANK(pending_launches);
  bool has_room_ GUARDED_BY(limit_mutex_) = false;
  Mutex mutex_ LOCK_RANK(task_memory);
  std::map<const cuda::Stream*, CUdeviceptr> addresses_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
