// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "cuda/memory.h"
#include "cuda/stream.h"

namespace clcuda {

class DeviceResources;

// How device memory begins to be filled with a pattern of a power of two of bytes: some copies of it, the
// seed, are put at the beginning; the rest is doubling. `size`: of all that is to be filled.

// The seed in page-locked memory; null where much of that is on its way.
std::shared_ptr<cuda::PinnedBlock> make_seed(DeviceResources& resources, std::span<const std::byte> pattern,
                                             std::size_t size);

// Puts the seed there; without one, the pattern once, from the commands alone. Answers how many bytes are
// filled then.
std::size_t put_seed(const cuda::PinnedBlock* seed, cuda::Stream& stream, CUdeviceptr begin,
                     std::span<const std::byte> pattern, std::size_t size);

}  // namespace clcuda
