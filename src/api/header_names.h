// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>

namespace clcuda::api {

// "-30 (CL_INVALID_VALUE)": an error code with its name in OpenCL's headers, if it has one.
std::string code_text(cl_int code);
// "CL_DEVICE_PIPE_SUPPORT (0x1071)": a query or property with its name.
std::string query_text(cl_ulong query);

}  // namespace clcuda::api
