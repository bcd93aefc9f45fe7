// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/version.h"
#include "runtime/platform/opencl_version.h"

namespace clcuda::api {

// "OpenCL 3.1 clcuda 0.1.0": CL_PLATFORM_VERSION and CL_DEVICE_VERSION.
inline std::string version_text() {
  const cl_version version = opencl_version();
  return fmt::format("OpenCL {}.{} clcuda " CLCUDA_VERSION, CL_VERSION_MAJOR(version),
                     CL_VERSION_MINOR(version));
}

}  // namespace clcuda::api
