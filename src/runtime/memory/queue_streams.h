// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"
#include "runtime/device/side_streams.h"

namespace clcuda {

// The streams of all queues of a context, on all of its devices. Work in them may use any memory that the application passes to kernels as
// pointers. The stream of a destroyed queue stays in the list until it is seen to have no work; streams are never destroyed. Thread-safe.
class QueueStreams {
 public:
  void add(cuda::Stream& stream);
  void queue_gone(cuda::Stream& stream) noexcept;
  // The streams that have work, and events that happen when the work now in them has completed.
  std::vector<cuda::Stream*> busy() noexcept;
  LastUses mark_busy() noexcept;
  // Waits until the work now in the streams has completed, or can no longer complete.
  void drain() noexcept;

 private:
  struct Entry {
    cuda::Stream* stream;
    std::uint64_t gone = 0;  // distinguishes ends of queues that had the stream; 0: there is a queue
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> all() const;

  mutable Mutex mutex_ LOCK_RANK(queue_streams);
  std::vector<Entry> streams_ GUARDED_BY(mutex_);
  std::uint64_t gone_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda
