// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/function.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {
namespace {

// Large enough to outweigh the cost of entering loops over a block's threads, small enough that their values stay in the first-level cache.
constexpr int kGoodBlock = 256;
// Blocks for each thread of the device, so that differences between blocks even out.
constexpr int kBlocksPerWorker = 4;

}  // namespace

// A thread of the device counts as a multiprocessor and runs one block at a time.
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int block_size,
                                                     std::size_t dynamic_shared_bytes) {
  return entry([&] {
    const Ref<Function> function = object_of<Function>(handle);
    int& out = required(blocks);
    require(block_size > 0);
    out = function->allows(static_cast<std::uint64_t>(block_size), dynamic_shared_bytes) ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, CUfunction handle,
                                          CUoccupancyB2DSize shared_for, std::size_t dynamic_shared_bytes,
                                          int limit) {
  return entry([&] {
    const Ref<Function> function = object_of<Function>(handle);
    int& grid_out = required(min_grid);
    int& block_out = required(block_size);
    require(limit >= 0);
    int most = static_cast<int>(std::min(function->description().max_threads, kMaxBlockThreads));
    if (limit > 0) most = std::min(most, limit);
    int block = std::min(kGoodBlock, most);
    if (block > static_cast<int>(kWarpSize)) block -= block % static_cast<int>(kWarpSize);
    const auto& fixed = function->description().required_block;
    if (fixed[0]) block = static_cast<int>(fixed[0] * fixed[1] * fixed[2]);
    // The block size is halved while the dynamic shared memory, which may depend on it, exceeds the limit.
    const auto shared = [&](int size) { return shared_for ? shared_for(size) : dynamic_shared_bytes; };
    while (block > 1 && !fixed[0] && shared(block) > function->dynamic_shared_limit()) block /= 2;
    if (!function->allows(static_cast<std::uint64_t>(block), shared(block))) block = 0;
    block_out = block;
    grid_out = block ? function->context().device().pool().size() * kBlocksPerWorker : 0;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
