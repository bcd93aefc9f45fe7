// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "cuda/array.h"
#include "cuda/stream.h"

namespace clcuda::cuda {

// A cache of CUDA arrays: the driver takes 70 µs to create or destroy one, and destroying one waits for the
// device. A returned array is kept with its surface and texture objects for the next image of the same shape,
// until trim().
class ArrayPool {
 public:
  // Keeps at most this many bytes of texels.
  ArrayPool(const DeviceContext& context, std::size_t most) : context_(context), most_(most) {}
  ArrayPool(const ArrayPool&) = delete;
  ArrayPool& operator=(const ArrayPool&) = delete;

  // An array for work submitted to `stream` from now on. The context is current; throws DriverError.
  std::unique_ptr<Array> take(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels, Stream& stream);
  // Returns an array to the pool; its next user waits for the events `uses`. The result contains the oldest arrays beyond the limit, which
  // the caller destroys when waiting does no harm. If it throws for lack of memory, the caller still has the array.
  std::vector<std::unique_ptr<Array>> give_back(std::unique_ptr<Array>& array, std::vector<Event> uses);
  // Destroys all unused arrays whose last uses have ended. Waits for the device.
  void trim() noexcept;

 private:
  struct Unused {
    std::unique_ptr<Array> array;
    std::vector<Event> uses;
    std::size_t size = 0;
  };

  Unused find(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels);

  const DeviceContext& context_;
  const std::size_t most_;
  Mutex mutex_ LOCK_RANK(array_pool);
  std::list<Unused> unused_ GUARDED_BY(mutex_);  // the oldest first
  std::size_t size_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::cuda
