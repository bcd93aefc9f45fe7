// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/execute/bindless_table.h"
#include "ptx/execute/texture.h"

namespace clcuda::ptx {

// The process's textures and surfaces, by their handles. Objects are added and removed by executor/texel_objects.h.
BindlessTable<Texture>& textures();
BindlessTable<TexelResource>& surfaces();

}  // namespace clcuda::ptx
