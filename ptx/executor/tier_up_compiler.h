// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>

#include "base/mutex.h"
#include "base/ref.h"

namespace clcuda::ptx {

// A kernel whose code can be replaced by optimised code.
class TierUpCandidate : public RefCounted {
 public:
  virtual void tier_up() noexcept = 0;
};

// Calls tier_up() of kernels that are worth it, one after another, on a background thread. The thread is started when first needed and
// kept; exit() does not wait for it (base/process_end.h).
class TierUpCompiler {
 public:
  // If there is no memory, or no thread can be started, the kernel keeps its code.
  void request(Ref<TierUpCandidate> kernel) noexcept EXCLUDES(mutex_);

 private:
  void loop() noexcept EXCLUDES(mutex_);

  Mutex mutex_ LOCK_RANK(executor_tier_up);
  std::condition_variable wake_;
  std::deque<Ref<TierUpCandidate>> queue_ GUARDED_BY(mutex_);
  bool started_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda::ptx
