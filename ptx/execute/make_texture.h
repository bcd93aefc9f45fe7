// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/execute/texture.h"

namespace clcuda::ptx {

// What the descriptors say, with the functions for them chosen.
Texture make_texture(const TexelResource& resource, const Sampling& sampling);

}  // namespace clcuda::ptx
