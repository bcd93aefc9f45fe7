// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stream_order.h"

namespace clcuda {

void wait_for(cuda::Stream& stream, std::span<cuda::Stream* const> others) {
  for (cuda::Stream* other : others) stream.wait(other->mark());
}

}  // namespace clcuda
