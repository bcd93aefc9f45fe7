// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cuda/driver_table.h"

namespace clcuda::cuda {

// The function of that name (cuda.h's, without a version); null where the table has none.
void* driver_function(const DriverTable& table, std::string_view name) noexcept;

}  // namespace clcuda::cuda
