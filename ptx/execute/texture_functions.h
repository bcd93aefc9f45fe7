// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/execute/runtime_function.h"

namespace clcuda::ptx {

// The functions that code of tex, tld4 and txq calls.
std::span<const RuntimeFunction> texture_functions();

}  // namespace clcuda::ptx
