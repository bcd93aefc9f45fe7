// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/opencl.h"

// Programs with device-side enqueue: a default device queue, a launch, and the results from a buffer.
class DeviceEnqueue : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    cl_device_device_enqueue_capabilities capabilities = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities,
                          nullptr));
    if (!(capabilities & CL_DEVICE_QUEUE_SUPPORTED)) GTEST_SKIP() << "the driver is too old";
    on_device = make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                           CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  }

  // Runs `kernel(global int* out, …)` with `global` work-items and returns the first `count` elements of out, which were 0 before.
  template <class... Arguments>
  std::vector<cl_int> run(cl_program program, const char* kernel, std::size_t global, std::size_t count,
                          const Arguments&... arguments) {
    const test::Buffer out = make_buffer(std::vector<cl_int>(count));
    const test::Kernel made = make_kernel(program, kernel);
    set_arguments(made, out, arguments...);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    return contents<cl_int>(out, count);
  }
  template <class... Arguments>
  std::vector<cl_int> run(const std::string& source, std::size_t global, std::size_t count,
                          const Arguments&... arguments) {
    return run(build(source), "parent", global, count, arguments...);
  }

  test::Queue on_device;
};
