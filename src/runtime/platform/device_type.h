// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <vector>

namespace clcuda {

class Device;
class Platform;

// Section 4.2: whether `type` is a valid device type or a union of several.
bool is_device_type(cl_device_type type) noexcept;
// CL_DEVICE_TYPE_GPU or CL_DEVICE_TYPE_CPU; CLCUDA_CPU_TYPE chooses that of the CPU platform.
cl_device_type type_of(const Platform& platform) noexcept;
// The platform's devices that clGetDeviceIDs returns for `type`. Throws the errors of Platform::devices().
std::vector<Device*> devices_of_type(Platform& platform, cl_device_type type);

}  // namespace clcuda
