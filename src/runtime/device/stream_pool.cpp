// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stream_pool.h"

#include <algorithm>

namespace clcuda {

// Takes the stream that was released longest ago and has no work left: streams may be released with work in flight, which must complete
// first. They are queried without the lock, which takes about a microsecond each; a new stream takes longer, and memory of the device that
// the driver never gives back.
cuda::Stream& StreamPool::acquire(const cuda::Partition* partition) {
  // The context of another device may be current, for which memory is copied from this device.
  const cuda::Current current(context_);
  constexpr std::size_t kMostAsked = 32;
  for (std::size_t left = std::min(kMostAsked, idle_count()); left > 0; --left) {
    cuda::Stream* idle = take_idle(partition);
    if (!idle) break;
    if (idle->query() == CUDA_SUCCESS) return *idle;
    release(*idle);
  }
  auto made = std::make_unique<cuda::Stream>(events_, partition);
  MutexLock lock(mutex_);
  if (idle_.capacity() <= streams_.size()) idle_.reserve(2 * streams_.size() + 1);
  return *streams_.emplace_back(std::move(made));
}

std::size_t StreamPool::idle_count() {
  MutexLock lock(mutex_);
  return idle_.size();
}

cuda::Stream* StreamPool::take_idle(const cuda::Partition* partition) {
  MutexLock lock(mutex_);
  const auto found = std::ranges::find(idle_, partition, &cuda::Stream::partition);
  if (found == idle_.end()) return nullptr;
  cuda::Stream* stream = *found;
  idle_.erase(found);
  return stream;
}

void StreamPool::release(cuda::Stream& stream) noexcept {
  MutexLock lock(mutex_);
  idle_.push_back(&stream);
}

cuda::Stream& StreamPool::upload() {
  MutexLock lock(mutex_);
  if (!upload_) upload_ = std::make_unique<cuda::Stream>(events_);
  return *upload_;
}

std::vector<CUstream> StreamPool::handles() {
  std::vector<CUstream> all;
  MutexLock lock(mutex_);
  for (const auto& stream : streams_) all.push_back(stream->handle());
  return all;
}

}  // namespace clcuda
