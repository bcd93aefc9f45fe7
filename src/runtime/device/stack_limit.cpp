// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stack_limit.h"

#include <algorithm>

#include "cuda/error.h"

namespace clcuda {
namespace {

constexpr std::size_t kMost =
    512 << 10;  // local memory of a thread (CUDA C++ Programming Guide, compute capabilities)

}  // namespace

void StackLimit::raise(const cuda::DeviceContext& context, std::size_t bytes) {
  const cuda::DriverTable& driver = context.driver();
  MutexLock lock(mutex_);
  std::size_t limit = 0;
  cuda::check(driver, driver.cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE), "cuCtxGetLimit");
  const std::size_t wanted = std::min(bytes, kMost);
  if (limit < wanted) cuda::check(driver, driver.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, wanted), "cuCtxSetLimit");
}

}  // namespace clcuda
