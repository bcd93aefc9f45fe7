// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptx/abi/sampling.h"
#include "ptx/abi/texel_grid.h"

namespace clcuda::ptx {

// Four channels of 32 bits: floats or integers, depending on the texture.
using Channels = std::uint32_t __attribute__((vector_size(16)));

// A texture object: what it reads, how, and the functions that do it, which make_texture() has chosen.
struct Texture {
  TexelResource resource;
  Sampling sampling;
  bool gives_floats = false;  // else integers
  Channels border{};          // as the texture returns it
  // Reads the element at an address.
  Channels (*load)(const std::byte* element) = nullptr;
  // Reads one level at coordinates `at`, of which the unused ones are ignored; `layer` is an index in range.
  Channels (*sample)(const Texture& texture, const TexelGrid& grid, std::uint32_t layer,
                     const float (&at)[3]) = nullptr;
};

}  // namespace clcuda::ptx
