// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "api/entry_point.h"
#include "runtime/platform/device.h"

namespace clcuda::api {

// The device_list argument of the program functions. Each entry must be one of `allowed`; repetitions are removed. All of `allowed` if no
// list is given. Throws CL_INVALID_VALUE, CL_INVALID_DEVICE.
inline std::vector<Device*> device_list(cl_uint count, const cl_device_id* handles,
                                        std::span<Device* const> allowed) {
  require((count == 0) == (handles == nullptr), CL_INVALID_VALUE,
          "num_devices and device_list contradict each other");
  if (!handles) return {allowed.begin(), allowed.end()};
  std::vector<Device*> devices;
  for (cl_device_id handle : std::span(handles, count)) {
    Device& device = object_of<Device>(handle);
    require(std::ranges::find(allowed, &device) != allowed.end(), CL_INVALID_DEVICE,
            "the device is not one of the object's");
    if (std::ranges::find(devices, &device) == devices.end()) devices.push_back(&device);
  }
  return devices;
}

}  // namespace clcuda::api
