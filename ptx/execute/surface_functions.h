// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// What suld, sust and suq call.
std::span<const RuntimeFunction> surface_functions();

}  // namespace clcuda::ptx
