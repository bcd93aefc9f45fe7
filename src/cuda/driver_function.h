// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The function `name` (as in cuda.h, without a version suffix) of the table; null if the table has none.
void* driver_function(const DriverTable& table, std::string_view name) noexcept;

}  // namespace clcuda::cuda
