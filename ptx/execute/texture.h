// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptx/abi/sampling.h"
#include "ptx/abi/texel_grid.h"

namespace clcuda::ptx {

// Four channels of 32 bits: numbers of the kind that the texture gives.
using Channels = std::uint32_t __attribute__((vector_size(16)));

struct Texture {
  TexelResource resource;
  Sampling sampling;
  bool gives_floats = false;  // else integers
  Channels border{};          // as the texture gives it
  // One element, as the texture gives it.
  Channels (*load)(const std::byte* element) = nullptr;
  // Reads one level at `at`, whose unused coordinates are ignored; the layer is an index already in range.
  Channels (*sample)(const Texture& texture, const TexelGrid& grid, std::uint32_t layer,
                     const float (&at)[3]) = nullptr;
};

}  // namespace clcuda::ptx
