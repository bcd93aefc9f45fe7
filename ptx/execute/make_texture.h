// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/execute/texture.h"

namespace clcuda::ptx {

// A texture of the resource, read as `sampling` says, with the functions that read such a texture.
Texture make_texture(const TexelResource& resource, const Sampling& sampling);

}  // namespace clcuda::ptx
