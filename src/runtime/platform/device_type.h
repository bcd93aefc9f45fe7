// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <vector>

namespace clcuda {

class Device;
class Platform;

// Whether `type` is one of the kinds that the specification knows, or a union of them.
bool is_device_type(cl_device_type type) noexcept;
// GPU or CPU; of a CPU device what CLCUDA_CPU_TYPE wants.
cl_device_type type_of(const Platform& platform) noexcept;
std::vector<Device*> devices_of_type(Platform& platform, cl_device_type type);

}  // namespace clcuda
