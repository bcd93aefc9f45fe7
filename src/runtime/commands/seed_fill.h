// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "cuda/memory.h"
#include "cuda/stream.h"

namespace clcuda {

class DeviceResources;

// Device memory is filled with a pattern, whose size is a power of two, by copying some repetitions of it (the seed) to the beginning and
// doubling them. `size`: bytes to be filled in total.

// The seed in page-locked memory; null if much of that is in use by transfers.
std::shared_ptr<cuda::PinnedBlock> make_seed(DeviceResources& resources, std::span<const std::byte> pattern,
                                             std::size_t size);

// Copies the seed to `begin`; without a seed, writes the pattern once with memsets. Returns the number of bytes filled.
std::size_t put_seed(const cuda::PinnedBlock* seed, cuda::Stream& stream, CUdeviceptr begin,
                     std::span<const std::byte> pattern, std::size_t size);

}  // namespace clcuda
