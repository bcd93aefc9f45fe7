// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cuda/stream.h"

namespace clcuda {

// Orders the next work in `stream` after all work that is now in the others, or after the events. They may belong to several devices; those
// of a lost device are left out, since its work has ended.
void wait_for(cuda::Stream& stream, std::span<cuda::Stream* const> others);
void wait_for(cuda::Stream& stream, std::span<const cuda::Event> events);

}  // namespace clcuda
