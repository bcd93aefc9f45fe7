// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/abi/texel_grid.h"
#include "ptx/driver/functions.h"

namespace clcuda::ptx::driver {

// The array, mipmapped array or linear memory that a resource descriptor names, in the current context. Throws DriverError.
TexelResource checked_resource(const CUDA_RESOURCE_DESC& descriptor);

}  // namespace clcuda::ptx::driver
