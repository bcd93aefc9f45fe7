// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// All functions that generated code may call. Thread-safe.
std::span<const RuntimeFunction> runtime_functions();

}  // namespace clcuda::ptx
