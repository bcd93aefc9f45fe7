// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace clcuda {

class Device;

// What devices and platforms report and programs may use: the one table of it. An entry is added in the change that makes it work.
std::span<const cl_name_version> platform_extensions();
std::vector<cl_name_version> device_extensions(const Device& device);
std::span<const cl_name_version> opencl_c_features();  // __opencl_c_…
std::span<const cl_name_version> opencl_c_versions();

// "a b c"
std::string names_of(std::span<const cl_name_version> entries);

compiler::DeviceFeatures compiler_features();

}  // namespace clcuda
