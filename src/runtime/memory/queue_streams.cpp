// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/queue_streams.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

namespace clcuda {

void QueueStreams::add(cuda::Stream& stream) {
  MutexLock lock(mutex_);
  if (std::ranges::find(streams_, &stream) == streams_.end()) streams_.push_back(&stream);
}

std::vector<cuda::Stream*> QueueStreams::all() const {
  MutexLock lock(mutex_);
  return streams_;
}

// Queries the streams without the lock. If there is no memory for the list, waits for all streams, so that none is busy.
std::vector<cuda::Stream*> QueueStreams::busy() noexcept {
  try {
    std::vector<cuda::Stream*> streams = all();
    std::erase_if(streams, [](const cuda::Stream* stream) {
      const cuda::Current current(stream->context());
      return stream->query() == CUDA_SUCCESS;
    });
    return streams;
  } catch (const std::exception& error) {
    log::error("all queues are waited for: {}", error.what());
    drain();
    return {};
  }
}

LastUses QueueStreams::mark_busy() noexcept {
  LastUses uses;
  for (cuda::Stream* stream : busy()) {
    try {
      const cuda::Current current(stream->context());
      uses.streams.reserve(uses.streams.size() + 1);
      uses.events.push_back(stream->mark());
      uses.streams.push_back(stream);
    } catch (const std::exception& error) {
      log::debug("a stream is waited for: {}", error.what());
      stream->drain();
    }
  }
  return uses;
}

void QueueStreams::drain() noexcept {
  for (std::size_t i = 0;; ++i) {
    cuda::Stream* stream = nullptr;
    {
      MutexLock lock(mutex_);
      if (i >= streams_.size()) return;
      stream = streams_[i];
    }
    try {
      const cuda::Current current(stream->context());
      stream->drain();
    } catch (const std::exception& error) {
      log::debug("a stream cannot be waited for: {}", error.what());
    }
  }
}

}  // namespace clcuda
