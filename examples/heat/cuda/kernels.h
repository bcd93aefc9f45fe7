// SPDX-License-Identifier: Apache-2.0
// The kernels of heat.cl in CUDA, for a tile of `width` x `height` cells. Only kernels.cu is compiled by nvcc.
#pragma once

#include <cuda_runtime.h>

namespace heat::cuda {

void launch_interior(int width, int height, const float* now, float* next, cudaStream_t stream);
void launch_edges(int width, int height, const float* now, float* next, const float* incoming,
                  float* outgoing, cudaStream_t stream);

}  // namespace heat::cuda
