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

// The extensions, features and versions that platforms and devices report; those of OpenCL C are in compiler/language_features.h. An entry
// is added by the change that makes it work.
std::vector<cl_name_version> platform_extensions(const Platform& platform);
std::vector<cl_name_version> device_extensions(const Device& device);
std::vector<cl_name_version> opencl_c_features(
    const Device& device);  // CL_DEVICE_OPENCL_C_FEATURES: __opencl_c_…
std::vector<cl_name_version> opencl_c_versions(const Device& device);  // CL_DEVICE_OPENCL_C_ALL_VERSIONS
std::vector<cl_name_version> intermediate_languages();                 // CL_DEVICE_ILS_WITH_VERSION

// The names, separated by spaces.
std::string names_of(std::span<const cl_name_version> entries);

// The features that the compiler is to allow in programs for the device.
compiler::DeviceFeatures compiler_features(const Device& device);

// Whether the device supports device-side enqueue: the driver must be as new as the device runtime that programs are linked with.
bool offers_device_enqueue(const Device& device);
constexpr cl_uint kDeviceQueueSize = CLCUDA_TASKS_SIZE;
constexpr cl_uint kLeastDeviceEvents =
    2048;  // CL_DEVICE_MAX_ON_DEVICE_EVENTS: tasks of any size fit into the task memory

// Whether the device supports cl_arm_import_memory: it accesses registered host memory at the host's address.
bool imports_host_memory(const Device& device);
// Also memory that the process may not write, to be read.
bool imports_read_only_memory(const Device& device);

}  // namespace clcuda
