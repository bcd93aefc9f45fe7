// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// Arithmetic and conversions that round towards zero, down or up (.rz, .rm, .rp): functions that generated code calls.
std::span<const RuntimeFunction> directed_rounding_functions();

}  // namespace clcuda::ptx
