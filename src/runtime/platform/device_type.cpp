// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/device_type.h"

#include "base/config.h"
#include "runtime/platform/platform.h"

namespace clcuda {

bool is_device_type(cl_device_type type) noexcept {
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                    CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  return type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~kKnown) == 0);
}

cl_device_type type_of(const Platform& platform) noexcept {
  const bool says_so = platform.is_cpu() && config().cpu_type != "gpu";
  return says_so ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
}

std::vector<Device*> devices_of_type(Platform& platform, cl_device_type type) {
  const std::span<Device* const> all = platform.devices();
  if (type == CL_DEVICE_TYPE_ALL || (type & type_of(platform))) return {all.begin(), all.end()};
  // The default device is the first.
  if ((type & CL_DEVICE_TYPE_DEFAULT) && !all.empty()) return {all.front()};
  return {};
}

}  // namespace clcuda
