// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cuda/stream.h"

namespace clcuda {

// What is recorded into `stream` from now on comes behind all that the others hold. They may be of several devices.
void wait_for(cuda::Stream& stream, std::span<cuda::Stream* const> others);

}  // namespace clcuda
