// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <vector>

#include "builtins/device_tasks.h"
#include "compiler/compiler.h"

namespace clcuda {

class Device;
class Platform;

// What devices and platforms report: OpenCL C's part is in compiler/language_features.h. An entry is added in the change that makes it
// work.
std::vector<cl_name_version> platform_extensions(const Platform& platform);
std::vector<cl_name_version> device_extensions(const Device& device);
std::vector<cl_name_version> opencl_c_features(const Device& device);  // __opencl_c_…
std::vector<cl_name_version> opencl_c_versions(const Device& device);
std::vector<cl_name_version> intermediate_languages();

// "a b c"
std::string names_of(std::span<const cl_name_version> entries);

compiler::DeviceFeatures compiler_features(const Device& device);

// Device-side enqueue: needs a driver as new as the device runtime that programs are linked with.
bool offers_device_enqueue(const Device& device);
constexpr cl_uint kDeviceQueueSize = CLCUDA_TASKS_SIZE;
constexpr cl_uint kLeastDeviceEvents = 2048;  // of tasks of any size that fit into the memory for them

}  // namespace clcuda
