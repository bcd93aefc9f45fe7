// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"

// The functions of the table, declared with the types that cuda.h gives them, so that a definition here with
// another signature does not link. cuda.h's version macros (cuMemAlloc → cuMemAlloc_v2) apply to both sides
// alike.
namespace clcuda::ptx::driver {

#define REQUIRED(function) decltype(::function) function;
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL

}  // namespace clcuda::ptx::driver
