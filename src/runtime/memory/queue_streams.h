// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"
#include "runtime/device/side_streams.h"

namespace clcuda {

// The streams of all queues of a context, on all of its devices. Work in them may use any memory that the application passes to kernels as
// pointers. The stream of a destroyed queue stays in the list, because it may still have work; streams are never destroyed. Thread-safe.
class QueueStreams {
 public:
  void add(cuda::Stream& stream);
  // The streams that have work, and events that happen when the work now in them has completed.
  std::vector<cuda::Stream*> busy() noexcept;
  LastUses mark_busy() noexcept;
  // Waits until the work now in the streams has completed, or can no longer complete.
  void drain() noexcept;

 private:
  std::vector<cuda::Stream*> all() const;

  mutable Mutex mutex_ LOCK_RANK(queue_streams);
  std::vector<cuda::Stream*> streams_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
