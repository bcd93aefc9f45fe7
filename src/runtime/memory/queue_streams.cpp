// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/queue_streams.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

namespace clcuda {

void QueueStreams::add(cuda::Stream& stream) {
  MutexLock lock(mutex_);
  const auto known = std::ranges::find(streams_, &stream, &Entry::stream);
  if (known == streams_.end())
    streams_.push_back({&stream});
  else
    known->gone = 0;
}

void QueueStreams::queue_gone(cuda::Stream& stream) noexcept {
  MutexLock lock(mutex_);
  const auto known = std::ranges::find(streams_, &stream, &Entry::stream);
  if (known != streams_.end()) known->gone = ++gone_;
}

std::vector<QueueStreams::Entry> QueueStreams::all() const {
  MutexLock lock(mutex_);
  return streams_;
}

// Queries the streams without the lock. If there is no memory for the list, waits for all streams, so that none is busy.
std::vector<cuda::Stream*> QueueStreams::busy() noexcept {
  try {
    std::vector<cuda::Stream*> busy;
    std::vector<Entry> over;
    for (const Entry& entry : all()) {
      const cuda::Current current(entry.stream->context());
      if (entry.stream->query() != CUDA_SUCCESS)
        busy.push_back(entry.stream);
      else if (entry.gone)
        over.push_back(entry);
    }
    if (over.empty()) return busy;
    MutexLock lock(mutex_);
    // Not one that another queue has had since.
    std::erase_if(streams_, [&](const Entry& entry) { return std::ranges::find(over, entry) != over.end(); });
    return busy;
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
      stream = streams_[i].stream;
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
