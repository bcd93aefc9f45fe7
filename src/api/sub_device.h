// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/platform/device.h"

namespace clcuda::api {

// CL_DEVICE_PARTITION_MAX_SUB_DEVICES: 0 for a device that cannot be partitioned.
cl_uint most_sub_devices(const Device& device);

}  // namespace clcuda::api
