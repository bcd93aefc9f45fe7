// SPDX-License-Identifier: Apache-2.0
// How much the kernel benchmarks work on: enough to fill a large GPU, or what a CPU does in about 20 ms. The
// CUDA twins use `gpu`.
#pragma once

#include <cstddef>

namespace bench {

struct Sizes {
  size_t elements;  // of the vector kernels
  size_t transcendental;
  size_t matrix;        // rows and columns; a multiple of the tile
  size_t bodies;        // a multiple of the group
  size_t largest_copy;  // bytes
};

inline constexpr Sizes gpu{size_t(64) << 20, size_t(16) << 20, 4096, 65536, size_t(256) << 20};
inline constexpr Sizes cpu{size_t(4) << 20, size_t(256) << 10, 256, 2048, size_t(64) << 20};

inline constexpr size_t tile = 16;
inline constexpr size_t group = 256;
inline constexpr size_t reduction_groups = 1024;

}  // namespace bench
