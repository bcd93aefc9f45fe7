// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clcuda::compiler {

// Device capabilities besides the target: names of extensions and features, which become macros and `-cl-ext`
// switches.
struct DeviceFeatures {
  std::vector<std::string> extensions;  // cl_khr_fp64 …
  std::vector<std::string> features;    // __opencl_c_fp64 …
};

}  // namespace clcuda::compiler
