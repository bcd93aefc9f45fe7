// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

namespace clcuda {

// The version of OpenCL that platforms and devices have: 3.1, or 3.0 where the user asks for it (CLCUDA_VERSION).
//
//   if (opencl_version() >= kOpenCl31) …   // what the specification has "prior to OpenCL 3.1", and what since then
inline constexpr cl_version kOpenCl30 = CL_MAKE_VERSION(3, 0, 0), kOpenCl31 = CL_MAKE_VERSION(3, 1, 0);
cl_version opencl_version();

}  // namespace clcuda
