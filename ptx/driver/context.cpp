// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/context.h"

namespace clcuda::ptx::driver {

Context::~Context() = default;

bool Context::fail(CUresult error) noexcept {
  CUresult expected = CUDA_SUCCESS;
  if (!status_.compare_exchange_strong(expected, error)) return false;
  something_completed();
  return true;
}

void Context::something_completed() noexcept {
  if (waiters_.load(std::memory_order_seq_cst) == 0) return;
  {
    MutexLock lock(waiting_mutex_);
  }  // by now, a waiter that had just tested its condition is asleep
  completed_.notify_all();
}

bool Context::begin_device_launch() noexcept {
  if (device_launches_.fetch_add(1, std::memory_order_relaxed) < device_launch_limit()) return true;
  end_device_launch();
  return false;
}

}  // namespace clcuda::ptx::driver
