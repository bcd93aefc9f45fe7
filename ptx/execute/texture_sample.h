// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/execute/texture.h"

namespace clcuda::ptx {

// The function for a texture's dimensions, filter and (where it is a common one) format; `load` is set
// already.
decltype(Texture::sample) choose_sample(const Texture& texture);

// The 2×2 elements that linear filtering at (x, y) would mix, in the order of tld4: (0,1) (1,1) (1,0) (0,0),
// one channel of each.
Channels gather(const Texture& texture, std::uint32_t layer, const float (&at)[3], unsigned channel);

}  // namespace clcuda::ptx
