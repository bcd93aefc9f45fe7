// SPDX-License-Identifier: Apache-2.0
#include "cuda/requirements.h"

#include <fmt/format.h>

#include <array>

namespace clcuda::cuda {

std::string shortcoming_of(const DriverTable& driver) {
  int version = 0;
  if (driver.cuDriverGetVersion(&version) != CUDA_SUCCESS || version >= kLeastDriverVersion) return {};
  return fmt::format("the driver is for CUDA {}.{}; clcuda needs one for CUDA {}.{} or newer", version / 1000,
                     version % 1000 / 10, kLeastDriverVersion / 1000, kLeastDriverVersion % 1000 / 10);
}

std::string shortcoming_of(const DriverTable& driver, CUdevice device) {
  int major = 0, minor = 0;
  std::array<char, 256> name{};
  if (driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) !=
          CUDA_SUCCESS ||
      driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) !=
          CUDA_SUCCESS ||
      major == 0 || major * 10 + minor >= kLeastComputeCapability ||
      driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device) != CUDA_SUCCESS)
    return {};
  return fmt::format("{} has compute capability {}.{}; clcuda needs {}.{} (Turing) or newer", name.data(),
                     major, minor, kLeastComputeCapability / 10, kLeastComputeCapability % 10);
}

}  // namespace clcuda::cuda
