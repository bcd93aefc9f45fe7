// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clcuda::compiler {

// Device capabilities besides the target: names of extensions and features, which become macros and `-cl-ext`
// switches, and the OpenCL version.
struct DeviceFeatures {
  std::vector<std::string> extensions;  // cl_khr_fp64 …
  std::vector<std::string> features;    // __opencl_c_fp64 …
  int opencl_version = 310;             // 300 for OpenCL 3.0
};

}  // namespace clcuda::compiler
