// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/opencl_version.h"

#include "base/config.h"
#include "base/log.h"

namespace clcuda {

cl_version opencl_version() {
  static const cl_version version = [] {
    const std::string& wish = config().version;
    if (wish == "3.0") return kOpenCl30;
    if (!wish.empty() && wish != "3.1") log::warning("CLCUDA_VERSION is neither 3.0 nor 3.1: {}", wish);
    return kOpenCl31;
  }();
  return version;
}

}  // namespace clcuda
