// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// CUDA's device runtime (abi/device_runtime.h). Device code calls its functions with the block, the addresses
// of results and those of arguments.
std::span<const RuntimeFunction> device_runtime_functions();

}  // namespace clcuda::ptx
