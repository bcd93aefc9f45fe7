// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clcuda::compiler {

// What the device or the user decides about the language.
struct LanguageChoice {
  bool device_enqueue = true;
  bool intel_subgroups = false;
  int opencl_version = 310;  // 300 for OpenCL 3.0
};

// Device capabilities besides the target: that choice, and the names of extensions and features, which become macros and `-cl-ext`
// switches.
struct DeviceFeatures {
  LanguageChoice choice;
  std::vector<std::string> extensions;  // cl_khr_fp64 …
  std::vector<std::string> features;    // __opencl_c_fp64 …
};

}  // namespace clcuda::compiler
