// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/improver.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "ptx/driver/process.h"
#include "ptx/driver/thread.h"

namespace clcuda::ptx::driver {

Improver::Improver() {
  std::atexit([] {
    // In the child of a fork the thread is not there.
    if (Process::phase() == CUDA_SUCCESS) Process::get().improver().stop();
  });
}

void Improver::request(Ref<Function> function) noexcept {
  MutexLock lock(mutex_);
  if (!started_)
    started_ = start_detached_thread(
        [](void* improver) noexcept { static_cast<Improver*>(improver)->loop(); }, this);
  if (!started_ || stopped_) return;
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
    while (queue_.empty() || stopped_) wake_.wait(lock.native());
    Ref<Function> function = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    function->module()->improve(function->kernel());
    function = {};
    lock.lock();
    busy_ = false;
    idle_.notify_all();
  }
}

void Improver::stop() noexcept {
  MutexLock lock(mutex_);
  stopped_ = true;
  while (busy_) idle_.wait(lock.native());
}

}  // namespace clcuda::ptx::driver
