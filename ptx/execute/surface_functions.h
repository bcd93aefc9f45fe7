// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// The functions that code of suld, sust and suq calls.
std::span<const RuntimeFunction> surface_functions();

}  // namespace clcuda::ptx
