// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stream_access_tracker.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

namespace clcuda {

void StreamAccessTracker::set_ready(cuda::Stream& stream) {
  ready_ = stream.mark();
  ready_stream_ = &stream;
  waited_ = nullptr;
}

void StreamAccessTracker::put_ready_behind(cuda::Stream& stream) {
  wait_until_ready(stream);
  set_ready(stream);
}

// A wait in the stream costs a sixth of a query of the event. The event is nevertheless queried at every eighth wait: once it has happened,
// no further waits are needed.
void StreamAccessTracker::wait_until_ready(cuda::Stream& stream) {
  if (!ready_ || ready_stream_ == &stream || waited_ == &stream) return;
  if (++waits_ % 8 == 0 && ready_.query() == CUDA_SUCCESS) {
    ready_ = {};
    return;
  }
  stream.wait(ready_);
  waited_ = &stream;
}

void StreamAccessTracker::record_access(cuda::Stream& stream) {
  if (last_ == &stream) return;
  last_ = &stream;
  if (std::ranges::find(users_, &stream) == users_.end()) users_.push_back(&stream);
}

void StreamAccessTracker::mark(LastUses& uses) const noexcept {
  for (cuda::Stream* stream : users_) {
    try {
      const cuda::Current current(stream->context());
      uses.streams.push_back(stream);
      uses.events.push_back(stream->mark());
    } catch (const std::exception& error) {
      log::debug("nothing to wait for in a stream: {}", error.what());
    }
  }
}

}  // namespace clcuda
