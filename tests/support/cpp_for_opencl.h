// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_ext.h>

#include "support/programs.h"

namespace test {

// Programs in C++ for OpenCL, on devices that have it.
class CppPrograms : public Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    std::size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, 0, nullptr, &size) !=
        CL_SUCCESS)
      GTEST_SKIP() << "the device does not have C++ for OpenCL";
  }
};

}  // namespace test
