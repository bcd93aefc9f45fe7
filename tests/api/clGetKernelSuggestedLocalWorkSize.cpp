// SPDX-License-Identifier: Apache-2.0
// Called by each way to get the function: core name, extension's name, last entry of the dispatch table, exported symbol.
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>

#include <cstddef>

#include "support/own_process.h"
#include "support/programs.h"

namespace {

using Function = clGetKernelSuggestedLocalWorkSizeKHR_fn;

enum class By { name, extension_name, table, symbol };

Function find_function(By way, cl_platform_id platform) {
  switch (way) {
    case By::name:
      return reinterpret_cast<Function>(
          clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSize"));
    case By::extension_name:
      return reinterpret_cast<Function>(
          clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
    case By::table: {
      // In the dispatch table of OpenCL 3.1 it follows clSetContextDestructorCallback.
      constexpr std::size_t kPlace =
          offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void*) + 1;
      Function* const* handle = reinterpret_cast<Function* const*>(platform);
      return (*handle)[kPlace];
    }
    case By::symbol: {
      void* const library = dlopen(test::library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
      return library ? reinterpret_cast<Function>(dlsym(library, "clGetKernelSuggestedLocalWorkSize"))
                     : nullptr;
    }
  }
  return nullptr;
}

class SuggestedLocalSize : public test::Programs, public testing::WithParamInterface<By> {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(
        "kernel void sizes(global uint* out) {\n"
        "  for (uint d = 0; d < 3; ++d) if (get_global_linear_id() == 0) out[d] = "
        "get_enqueued_local_size(d);\n"
        "}\n"
        "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required() {}\n");
    kernel = make_kernel(program, "sizes");
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    suggest = find_function(GetParam(), platform);
    ASSERT_NE(nullptr, suggest);
  }
  void set_argument() {
    buffer = make_buffer(std::vector<cl_uint>(3));
    const cl_mem memory = buffer;
    CL_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  }
  test::Program program;
  test::Kernel kernel;
  test::Buffer buffer;
  Function suggest = nullptr;
};

INSTANTIATE_TEST_SUITE_P(By, SuggestedLocalSize,
                         testing::Values(By::name, By::extension_name, By::table, By::symbol));

TEST_P(SuggestedLocalSize, IsWhatALaunchTakes) {
  set_argument();
  for (int round = 0; round < 20; ++round) {
    const cl_uint dimensions = 1 + round % 3;
    std::size_t global[3], local[3] = {1, 1, 1};
    for (std::size_t& size : global) size = 1 + test::random_engine()() % 40;
    CL_OK(suggest(queue, kernel, dimensions, nullptr, global, local));
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, nullptr, 0, nullptr, nullptr));
    const auto seen = contents<cl_uint>(buffer, 3);
    for (cl_uint d = 0; d < 3; ++d) EXPECT_EQ(seen[d], local[d]);
  }
  const test::Kernel required = make_kernel(program, "required");
  const std::size_t global[2] = {16, 16};
  std::size_t local[2] = {};
  CL_OK(suggest(queue, required, 2, nullptr, global, local));
  EXPECT_EQ(8u, local[0]);
  EXPECT_EQ(2u, local[1]);
  // A launch would reject these global sizes, but the query has no error for that.
  const std::size_t odd[2] = {15, 3};
  for (const cl_uint dimensions : {1u, 2u}) {
    std::size_t suggested[2] = {0, 2};
    CL_OK(suggest(queue, required, dimensions, nullptr, odd, suggested));
    EXPECT_EQ(8u, suggested[0]);
    EXPECT_EQ(2u, suggested[1]);
  }
}

TEST_P(SuggestedLocalSize, RefusesWhatALaunchRefuses) {
  const std::size_t global[3] = {8, 8, 8}, empty[3] = {8, 0, 8}, offset[3] = {~std::size_t{0}, 0, 0};
  std::size_t local[3] = {};
  CL_EXPECT(CL_INVALID_KERNEL_ARGS, suggest(queue, kernel, 1, nullptr, global, local));
  set_argument();
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, suggest(nullptr, kernel, 1, nullptr, global, local));
  CL_EXPECT(CL_INVALID_KERNEL, suggest(queue, nullptr, 1, nullptr, global, local));
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, suggest(queue, kernel, 0, nullptr, global, local));
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, suggest(queue, kernel, 4, nullptr, global, local));
  CL_EXPECT(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, kernel, 1, nullptr, nullptr, local));
  CL_EXPECT(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, kernel, 3, nullptr, empty, local));
  CL_EXPECT(CL_INVALID_GLOBAL_OFFSET, suggest(queue, kernel, 1, offset, global, local));
  CL_EXPECT(CL_INVALID_VALUE, suggest(queue, kernel, 1, nullptr, global, nullptr));
  cl_int error = CL_SUCCESS;
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  const test::Queue others = clCreateCommandQueueWithProperties(other, device, nullptr, &error);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_CONTEXT, suggest(others, kernel, 1, nullptr, global, local));
}

}  // namespace
