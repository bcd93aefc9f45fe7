// SPDX-License-Identifier: Apache-2.0
// As in heat.cl, but the size is an argument: OpenCL compiles the kernels for it when the program runs, CUDA before. Compiled with
// -fmad=false, as the host checks every bit.
#include "kernels.h"

namespace heat::cuda {
namespace {

__device__ float conducted(float centre, float north, float south, float west, float east) {
  const float sum = (north + south) + (west + east);
  return centre + 0.2f * (sum - 4.0f * centre);
}

__global__ void interior(int width, int height, const float* __restrict__ now, float* __restrict__ next) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) + 1;
  if (x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  next[i] = conducted(now[i], now[i - width], now[i + width], now[i - 1], now[i + 1]);
}

__device__ float value_at(int width, int height, const float* __restrict__ now,
                          const float* __restrict__ incoming, int x, int y) {
  if (y < 0) return incoming[x];
  if (y >= height) return incoming[width + x];
  if (x < 0) return incoming[2 * width + y];
  if (x >= width) return incoming[2 * width + height + y];
  return now[y * width + x];
}

// Without a division, which is fast only if the compiler knows the divisor.
__global__ void edges(int width, int height, const float* __restrict__ now, float* __restrict__ next,
                      const float* __restrict__ incoming, float* __restrict__ outgoing) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 2 * (width + height)) return;
  int x = i < width ? i : i - width, y = i < width ? 0 : height - 1;
  if (i >= 2 * width) {
    const bool west = i < 2 * width + height;
    y = i - 2 * width - (west ? 0 : height);
    x = west ? 0 : width - 1;
  }
  const auto at = [&](int column, int row) { return value_at(width, height, now, incoming, column, row); };
  const float value = conducted(at(x, y), at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y));
  outgoing[i] = value;
  if (i < 2 * width || (y > 0 && y < height - 1)) next[y * width + x] = value;
}

unsigned blocks(int cells, int size) { return static_cast<unsigned>((cells + size - 1) / size); }

}  // namespace

void launch_interior(int width, int height, const float* now, float* next, cudaStream_t stream) {
  constexpr int kWidth = 32, kHeight = 8;
  const dim3 grid(blocks(width - 2, kWidth), blocks(height - 2, kHeight));
  interior<<<grid, dim3(kWidth, kHeight), 0, stream>>>(width, height, now, next);
}

void launch_edges(int width, int height, const float* now, float* next, const float* incoming,
                  float* outgoing, cudaStream_t stream) {
  constexpr int kSize = 256;
  edges<<<blocks(2 * (width + height), kSize), kSize, 0, stream>>>(width, height, now, next, incoming,
                                                                   outgoing);
}

}  // namespace heat::cuda
