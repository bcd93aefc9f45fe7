// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/abi/function_table.h"

namespace clcuda::ptx {

// Implements kFindFunction.
const void* find_function(const FunctionEntry* table, std::uint64_t count, std::uint64_t address,
                          std::uint64_t signature);

}  // namespace clcuda::ptx
