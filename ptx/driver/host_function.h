// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>

#include "base/mutex.h"
#include "ptx/driver/command.h"
#include "ptx/driver/functions.h"

namespace clcuda::ptx::driver {

class HostFunctionCommand;

// The threads on which host functions run. They are apart from those that run blocks, and as many as there
// are functions at a time, so that a function that takes long holds up its own stream only.
class HostFunctionThreads {
 public:
  // Makes sure that there is a thread for one more function. Throws DriverError{CUDA_ERROR_OPERATING_SYSTEM}.
  void reserve() EXCLUDES(mutex_);
  // Calls the command's function on one of the threads.
  void run(HostFunctionCommand& command) noexcept EXCLUDES(mutex_);

 private:
  bool add_thread() REQUIRES(mutex_);
  void loop() noexcept EXCLUDES(mutex_);

  Mutex mutex_ LOCK_RANK(executor_host_functions);
  std::condition_variable wake_;
  std::deque<HostFunctionCommand*> queue_ GUARDED_BY(mutex_);
  std::size_t idle_ GUARDED_BY(mutex_) = 0;
  std::size_t started_ GUARDED_BY(mutex_) = 0;
};

// cuLaunchHostFunc.
class HostFunctionCommand final : public Command {
 public:
  HostFunctionCommand(HostFunctionThreads& threads, CUhostFn function, void* argument)
      : threads_(threads), function_(function), argument_(argument) {}

  Progress start(Stream& stream) noexcept override;
  void call() noexcept;

 private:
  HostFunctionThreads& threads_;
  const CUhostFn function_;
  void* const argument_;
  Stream* stream_ = nullptr;
};

// Whether the calling thread is inside a host function of a stream, where CUDA allows no call of its
// interface.
bool in_host_function() noexcept;

}  // namespace clcuda::ptx::driver
