// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_api.h"

namespace clcuda::cuda {

// The CUDA driver API as a table of function pointers, which is clcuda's only interface to devices. It is filled either from libcuda.so.1
// (driver_library.h) or by the PTX executor (ptx/driver/driver.h).
//
//   if (CUresult error = table.cuStreamQuery(stream)) …
struct DriverTable {
#define REQUIRED(function) decltype(&::function) function = nullptr;
#define OPTIONAL(function) REQUIRED(function)
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
};

}  // namespace clcuda::cuda
