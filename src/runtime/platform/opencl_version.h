// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

namespace clcuda {

// The OpenCL version of platforms and devices: 3.1, or 3.0 if CLCUDA_VERSION selects it.
//
//   if (opencl_version() >= kOpenCl31) …   // where the specification distinguishes "prior to OpenCL 3.1"
inline constexpr cl_version kOpenCl30 = CL_MAKE_VERSION(3, 0, 0), kOpenCl31 = CL_MAKE_VERSION(3, 1, 0);
cl_version opencl_version();

}  // namespace clcuda
