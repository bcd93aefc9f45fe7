// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/abi/texel_grid.h"
#include "ptx/abi/texel_query.h"

namespace clcuda::ptx {

std::uint32_t query(const TexelResource& resource, TexelQuery what);

}  // namespace clcuda::ptx
