// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// The functions of CUDA's device runtime (abi/device_runtime.h). Generated code passes the block, then the addresses of results and of
// arguments.
std::span<const RuntimeFunction> device_runtime_functions();

}  // namespace clcuda::ptx
