// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/task_memory.h"

#include "builtins/device_tasks.h"
#include "cuda/error.h"
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

// Only once, and others wait: the driver moves the memory for pending launches, which must not happen while there are any.
void TaskMemory::make_room_for_launches(const cuda::DeviceContext& context) {
  constexpr CUlimit kLimit = CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT;
  const cuda::DriverTable& driver = context.driver();
  MutexLock lock(limit_mutex_);
  if (has_room_) return;
  std::size_t launches = 0;
  cuda::check(driver, driver.cuCtxGetLimit(&launches, kLimit), "cuCtxGetLimit");
  if (launches < CLCUDA_PENDING_LAUNCHES)
    cuda::check(driver, driver.cuCtxSetLimit(kLimit, CLCUDA_PENDING_LAUNCHES), "cuCtxSetLimit");
  has_room_ = true;
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
