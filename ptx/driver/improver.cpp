// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/improver.h"

#include <new>
#include <utility>

#include "base/thread.h"

namespace clcuda::ptx::driver {

void Improver::request(Ref<Function> function) noexcept {
  MutexLock lock(mutex_);
  if (!started_) started_ = start_thread("clcuda-improve", [this] { loop(); });
  if (!started_) return;
  try {
    queue_.push_back(std::move(function));
    wake_.notify_one();
  } catch (const std::bad_alloc&) {
    return;
  }
}

void Improver::loop() noexcept {
  MutexLock lock(mutex_);
  for (;;) {
    while (queue_.empty()) wake_.wait(lock.native());
    Ref<Function> function = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    function->module()->improve(function->kernel());
    function = {};
    lock.lock();
  }
}

}  // namespace clcuda::ptx::driver
