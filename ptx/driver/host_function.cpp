// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/host_function.h"

#include "base/thread.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

namespace {
thread_local bool inside_host_function = false;
}

bool in_host_function() noexcept { return inside_host_function; }

class HostFunctionCommand final : public Command {
 public:
  HostFunctionCommand(CUhostFn function, void* argument) : function_(function), argument_(argument) {}

  Progress start(Stream& stream) noexcept override {
    stream_ = &stream;
    Process::get().host_functions().run(*this);
    return Progress::running;
  }
  void call() noexcept {
    inside_host_function = true;
    function_(argument_);
    inside_host_function = false;
    stream_->finish_head();
  }

 private:
  const CUhostFn function_;
  void* const argument_;
  Stream* stream_ = nullptr;
};

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
  // With no thread to be had, the function waits for one of those that there are.
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

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* argument) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    require(function != nullptr);
    Process::get().host_functions().reserve();
    stream->enqueue(std::make_unique<HostFunctionCommand>(function, argument));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
