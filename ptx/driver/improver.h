// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>

#include "base/mutex.h"
#include "ptx/driver/function.h"

namespace clcuda::ptx::driver {

// Makes better code of kernels that turn out to be worth it, one after another, on a thread of its own beside those that run blocks. The
// thread starts when it is first needed and then stays; a process that exits does not wait for it (base/process_end.h).
class Improver {
 public:
  // Without a thread or memory to be had, the kernel keeps the code that it has.
  void request(Ref<Function> function) noexcept EXCLUDES(mutex_);

 private:
  void loop() noexcept EXCLUDES(mutex_);

  Mutex mutex_ LOCK_RANK(executor_improver);
  std::condition_variable wake_;
  std::deque<Ref<Function>> queue_ GUARDED_BY(mutex_);
  bool started_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda::ptx::driver
