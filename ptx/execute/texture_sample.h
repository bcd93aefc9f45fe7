// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/execute/texture.h"

namespace clcuda::ptx {

// The function Texture::sample for a texture's dimensions, filter and, if it is a common one, format. Texture::load must be set.
decltype(Texture::sample) choose_sample(const Texture& texture);

// tld4: one channel of each of the 2×2 elements that linear filtering at (x, y) would mix, in the order (0,1) (1,1) (1,0) (0,0).
Channels gather(const Texture& texture, std::uint32_t layer, const float (&at)[3], unsigned channel);

}  // namespace clcuda::ptx
