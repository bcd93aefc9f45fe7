// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>

namespace clcuda::api {

// "-30 (CL_INVALID_VALUE)": with a name of OpenCL's headers, if there is one.
std::string code_text(cl_int code);
// "CL_DEVICE_PIPE_SUPPORT (0x1071)": of queries and properties.
std::string query_text(cl_ulong query);

}  // namespace clcuda::api
