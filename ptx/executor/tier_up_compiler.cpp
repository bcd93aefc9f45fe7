// SPDX-License-Identifier: Apache-2.0
#include "ptx/executor/tier_up_compiler.h"

#include <new>
#include <utility>

#include "base/thread.h"

namespace clcuda::ptx {

void TierUpCompiler::request(Ref<TierUpCandidate> kernel) noexcept {
  MutexLock lock(mutex_);
  if (!started_) started_ = start_thread("clcuda-tier-up", [this] { loop(); });
  if (!started_) return;
  try {
    queue_.push_back(std::move(kernel));
    wake_.notify_one();
  } catch (const std::bad_alloc&) {
    return;
  }
}

void TierUpCompiler::loop() noexcept {
  MutexLock lock(mutex_);
  for (;;) {
    while (queue_.empty()) wake_.wait(lock.native());
    Ref<TierUpCandidate> kernel = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    kernel->tier_up();
    kernel = {};
    lock.lock();
  }
}

}  // namespace clcuda::ptx
