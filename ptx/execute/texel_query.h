// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/abi/texel_grid.h"
#include "ptx/abi/texel_query.h"

namespace clcuda::ptx {

// The answer to txq or suq; channel types and orders are OpenCL's numbers, as in CUDA.
std::uint32_t query(const TexelResource& resource, TexelQuery what);

}  // namespace clcuda::ptx
