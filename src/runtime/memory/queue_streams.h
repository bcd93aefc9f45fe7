// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"
#include "runtime/device/side_streams.h"

namespace clcuda {

// The streams of a context's queues, of all of its devices: whatever they hold may use any memory that the
// context's kernels are given as pointers. A queue's stream stays in the list when the queue has gone, as it
// may still have work; streams are not destroyed.
class QueueStreams {
 public:
  void add(cuda::Stream& stream);
  // Those that are not done with what they hold; and events that happen when they are.
  std::vector<cuda::Stream*> busy() noexcept;
  LastUses mark_busy() noexcept;
  // Returns when what they hold now is done, or never will be.
  void drain() noexcept;

 private:
  std::vector<cuda::Stream*> all() const;

  mutable Mutex mutex_ LOCK_RANK(queue_streams);
  std::vector<cuda::Stream*> streams_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
