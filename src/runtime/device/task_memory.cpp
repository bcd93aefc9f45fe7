// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/task_memory.h"

#include "builtins/device_tasks.h"
#include "runtime/device/device_memory.h"

namespace clcuda {

CUdeviceptr TaskMemory::of(cuda::Stream& stream) {
  {
    MutexLock lock(mutex_);
    if (const auto found = addresses_.find(&stream); found != addresses_.end()) return found->second;
  }
  // Without the lock, since the driver may take long; no other thread records into the stream.
  const CUdeviceptr address = memory_.allocate(CLCUDA_TASKS_SIZE, stream);
  try {
    stream.fill(address, 0, 4, sizeof(clcuda_tasks) / 4);
    MutexLock lock(mutex_);
    addresses_.emplace(&stream, address);
  } catch (...) {
    free(address, stream);
    throw;
  }
  return address;
}

void TaskMemory::forget(cuda::Stream& stream) noexcept {
  CUdeviceptr address = 0;
  {
    MutexLock lock(mutex_);
    const auto found = addresses_.find(&stream);
    if (found == addresses_.end()) return;
    address = found->second;
    addresses_.erase(found);
  }
  free(address, stream);
}

void TaskMemory::free(CUdeviceptr address, cuda::Stream& stream) noexcept {
  cuda::Stream* const user = &stream;
  memory_.free(address, {&user, 1});
}

}  // namespace clcuda
