// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda {

// CUDA's limit on the stack of a work-item. The driver itself provides what the code of a kernel is known to need, but for code behind a
// call through a pointer that is not known: it has what the limit says, 1 KB if nobody sets it (CUDA Driver API, cuCtxSetLimit).
class StackLimit {
 public:
  // Raises the limit to that many bytes, unless it is as high. May wait for work that the device has. The context is current; throws
  // DriverError.
  void raise(const cuda::DeviceContext& context, std::size_t bytes);

 private:
  Mutex mutex_ LOCK_RANK(stack_limit);  // held while it is raised
};

}  // namespace clcuda
