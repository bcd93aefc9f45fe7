// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace clcuda::ptx {

// The functions of CUDA's device runtime that the executor implements (execute/device_runtime.cpp), by CUDA's names.
inline constexpr std::string_view kGetParameterBuffer = "__cudaCDP2GetParameterBufferV2";
inline constexpr std::string_view kLaunchDevice = "__cudaCDP2LaunchDeviceV2";
inline constexpr std::string_view kFuncGetAttributes = "__cudaCDP2FuncGetAttributes";

constexpr bool is_device_runtime_function(std::string_view name) {
  return name == kGetParameterBuffer || name == kLaunchDevice || name == kFuncGetAttributes;
}

}  // namespace clcuda::ptx
