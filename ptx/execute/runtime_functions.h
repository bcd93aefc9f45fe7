// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// Everything that generated code may call.
std::span<const RuntimeFunction> runtime_functions();

}  // namespace clcuda::ptx
