// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/host_function.h"

#include "base/thread.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

namespace {
thread_local bool inside_host_function = false;
}

bool in_host_function() noexcept { return inside_host_function; }

Command::Progress HostFunctionCommand::start(Stream& stream) noexcept {
  stream_ = &stream;
  threads_.run(*this);
  return Progress::running;
}

void HostFunctionCommand::call() noexcept {
  inside_host_function = true;
  function_(argument_);
  inside_host_function = false;
  stream_->finish_head();
}

bool HostFunctionThreads::add_thread() {
  if (!start_thread("clcuda-host", [this] { loop(); })) return false;
  ++started_;
  return true;
}

void HostFunctionThreads::reserve() {
  MutexLock lock(mutex_);
  if (started_ == 0) require(add_thread(), CUDA_ERROR_OPERATING_SYSTEM);
}

void HostFunctionThreads::run(HostFunctionCommand& command) noexcept {
  MutexLock lock(mutex_);
  queue_.push_back(&command);
  // If no thread can be started, the function waits for one of the existing threads.
  if (idle_ < queue_.size()) add_thread();
  wake_.notify_one();
}

void HostFunctionThreads::loop() noexcept {
  MutexLock lock(mutex_);
  for (;;) {
    ++idle_;
    while (queue_.empty()) wake_.wait(lock.native());
    --idle_;
    HostFunctionCommand* command = queue_.front();
    queue_.pop_front();
    lock.unlock();
    command->call();
    lock.lock();
  }
}

}  // namespace clcuda::ptx::driver
