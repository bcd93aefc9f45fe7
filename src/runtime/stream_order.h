// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/stream.h"

namespace clcuda {

class Engine;

// What is recorded into `stream` from now on comes behind all that the others hold. The CUDA context is current.
void wait_for(Engine& engine, cuda::Stream& stream, const std::vector<cuda::Stream*>& others);

}  // namespace clcuda
