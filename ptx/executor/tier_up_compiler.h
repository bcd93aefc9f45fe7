// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>

#include "base/mutex.h"
#include "base/ref.h"

namespace clcuda::ptx {

// A kernel that may get better code.
class TierUpCandidate : public RefCounted {
 public:
  virtual void tier_up() noexcept = 0;
};

// Makes better code of kernels that turn out to be worth it, one after another, on a thread of its own beside
// those that run blocks. The thread starts when it is first needed and then stays; a process that exits does
// not wait for it (base/process_end.h).
class TierUpCompiler {
 public:
  // Without a thread or memory to be had, the kernel keeps the code that it has.
  void request(Ref<TierUpCandidate> kernel) noexcept EXCLUDES(mutex_);

 private:
  void loop() noexcept EXCLUDES(mutex_);

  Mutex mutex_ LOCK_RANK(executor_tier_up);
  std::condition_variable wake_;
  std::deque<Ref<TierUpCandidate>> queue_ GUARDED_BY(mutex_);
  bool started_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda::ptx
