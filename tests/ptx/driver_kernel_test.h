// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver_test.h"

namespace clcuda::test {

// A fixture that loads the kernels of kTestPtx on the first device.
class DriverKernelTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cu.cuModuleLoadData(&module, kTestPtx), CUDA_SUCCESS);
  }
  CUfunction function(const char* name) {
    CUfunction found = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&found, module, name), CUDA_SUCCESS) << name;
    return found;
  }
  template <class... Arguments>
  CUresult launch(CUfunction kernel, unsigned grid, unsigned block, CUstream stream, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return launch_grid(kernel, {grid, 1, 1}, {block, 1, 1}, stream, pointers);
  }

  CUmodule module = nullptr;
};

}  // namespace clcuda::test
