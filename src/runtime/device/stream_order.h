// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cuda/stream.h"

namespace clcuda {

// Orders the next work in `stream` after all work that is now in the others, which may belong to several devices.
void wait_for(cuda::Stream& stream, std::span<cuda::Stream* const> others);

}  // namespace clcuda
