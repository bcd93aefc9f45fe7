// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda {

// The streams of a device. They are lent (ScopedStream, for a scope), and lent again once idle; none is destroyed.
class StreamPool {
 public:
  StreamPool(const cuda::DeviceContext& context, cuda::EventPool& events)
      : context_(context), events_(events) {}
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;

  // In a partition of the device, or on all of it.
  cuda::Stream& acquire(const cuda::Partition* partition = nullptr);
  // It may still have work.
  void release(cuda::Stream& stream) noexcept;

  // For the first contents of memory objects, which nobody waits for.
  cuda::Stream& upload();

  // Of those that there are to lend.
  std::vector<CUstream> handles();

 private:
  cuda::Stream* take_idle(const cuda::Partition* partition);

  const cuda::DeviceContext& context_;
  cuda::EventPool& events_;
  Mutex mutex_ LOCK_RANK(stream_pool);
  std::vector<std::unique_ptr<cuda::Stream>> streams_ GUARDED_BY(mutex_);  // all there are
  std::unique_ptr<cuda::Stream> upload_ GUARDED_BY(mutex_);                // once it is needed
  // The longest idle first. Some may still have work that was left in them. There is room for all.
  std::vector<cuda::Stream*> idle_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
