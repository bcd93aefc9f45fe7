// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda {

// The streams of a device. They are lent to queues and scopes (ScopedStream), idle ones first; none is destroyed.
class StreamPool {
 public:
  StreamPool(const cuda::DeviceContext& context, cuda::EventPool& events)
      : context_(context), events_(events) {}
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;

  // A stream in this partition, or on the whole device. Throws DriverError.
  cuda::Stream& acquire(const cuda::Partition* partition = nullptr);
  // The stream may still have work.
  void release(cuda::Stream& stream) noexcept;

  // The stream for initial contents of memory objects.
  cuda::Stream& upload();

  // All streams for lending.
  std::vector<CUstream> handles();

 private:
  std::size_t idle_count();
  cuda::Stream* take_idle(const cuda::Partition* partition);

  const cuda::DeviceContext& context_;
  cuda::EventPool& events_;
  Mutex mutex_ LOCK_RANK(stream_pool);
  std::vector<std::unique_ptr<cuda::Stream>> streams_ GUARDED_BY(mutex_);  // including those lent
  std::unique_ptr<cuda::Stream> upload_ GUARDED_BY(mutex_);                // created on first use
  // Streams that are not lent, the longest idle first. Some may still have work. The capacity suffices for all streams, so release() cannot
  // fail.
  std::vector<cuda::Stream*> idle_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
