// SPDX-License-Identifier: Apache-2.0
// Any word at all as a handle: null, garbage, a handle of another kind, one that was released. What a loader
// would follow itself it
//  must be able to read, so a foreign word has a table in front.
#include <algorithm>
#include <array>

#include "support/programs.h"

namespace {

class InvalidHandles : public test::Programs {};

// A word that a loader can follow: it points to a live handle's table, but is none of ours.
struct Foreign {
  explicit Foreign(void* handle) { std::copy_n(static_cast<void**>(handle), 2, words.begin()); }
  std::array<void*, 16> words{};
};

TEST_F(InvalidHandles, NotOurs) {
  Foreign foreign(device);
  char text[8];
  size_t size = 0;
  cl_int error = 1;
  const auto as = [&]<class Handle>(Handle) { return reinterpret_cast<Handle>(&foreign); };
  CL_EXPECT(CL_INVALID_PLATFORM,
            clGetPlatformInfo(as(cl_platform_id{}), CL_PLATFORM_NAME, sizeof text, text, &size));
  CL_EXPECT(CL_INVALID_DEVICE, clGetDeviceInfo(as(cl_device_id{}), CL_DEVICE_NAME, sizeof text, text, &size));
  CL_EXPECT(CL_INVALID_DEVICE, clRetainDevice(as(cl_device_id{})));
  CL_EXPECT(CL_INVALID_CONTEXT,
            clGetContextInfo(as(cl_context{}), CL_CONTEXT_DEVICES, sizeof text, text, &size));
  CL_EXPECT(CL_INVALID_CONTEXT, clRetainContext(as(cl_context{})));
  CL_EXPECT(CL_INVALID_CONTEXT, clReleaseContext(as(cl_context{})));
  CL_EXPECT(CL_INVALID_PROGRAM, clRetainProgram(as(cl_program{})));
  CL_EXPECT(CL_INVALID_PROGRAM, clReleaseProgram(as(cl_program{})));
  CL_EXPECT(CL_INVALID_PROGRAM, clBuildProgram(as(cl_program{}), 0, nullptr, nullptr, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_KERNEL, clRetainKernel(as(cl_kernel{})));
  CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(as(cl_kernel{})));
  CL_EXPECT(CL_INVALID_KERNEL, clSetKernelArg(as(cl_kernel{}), 0, 4, text));
  CL_EXPECT(CL_INVALID_SAMPLER, clRetainSampler(as(cl_sampler{})));
  CL_EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(as(cl_sampler{})));
  EXPECT_EQ(nullptr, clCreateKernel(as(cl_program{}), "k", &error));
  EXPECT_EQ(CL_INVALID_PROGRAM, error);
  EXPECT_EQ(nullptr, clCloneKernel(as(cl_kernel{}), &error));
  EXPECT_EQ(CL_INVALID_KERNEL, error);
  const char* source = "";
  EXPECT_EQ(nullptr, clCreateProgramWithSource(as(cl_context{}), 1, &source, nullptr, &error));
  EXPECT_EQ(CL_INVALID_CONTEXT, error);
  const cl_device_id devices[] = {as(cl_device_id{})};
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 1, devices, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_DEVICE, error);
}

TEST_F(InvalidHandles, OfAnotherKindAndOdd) {
  const test::Program program = create("");
  CL_EXPECT(CL_INVALID_KERNEL, clRetainKernel(reinterpret_cast<cl_kernel>(program.get())));
  CL_EXPECT(CL_INVALID_CONTEXT, clRetainContext(reinterpret_cast<cl_context>(program.get())));
  CL_EXPECT(CL_INVALID_PROGRAM, clRetainProgram(reinterpret_cast<cl_program>(context.get())));
}

TEST_F(InvalidHandles, Released) {
  test::Program kept = build("kernel void k() {}");
  cl_kernel kernel = clCreateKernel(kept, "k", nullptr);
  CL_OK(clReleaseKernel(kernel));
  CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(kernel));
  CL_EXPECT(CL_INVALID_KERNEL, clRetainKernel(kernel));
  cl_uint count = 0;
  CL_EXPECT(CL_INVALID_KERNEL, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  // A while later it is still not taken for another.
  std::vector<test::Program> others;
  for (int i = 0; i < 1000; ++i) others.push_back(create(""));
  CL_EXPECT(CL_INVALID_KERNEL, clReleaseKernel(kernel));
}

TEST_F(InvalidHandles, ReleasedOnceTooOften) {
  // The context lives on through its program, but the application has no reference left to give up.
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const char* source = "";
  const test::Program program = clCreateProgramWithSource(other, 1, &source, nullptr, nullptr);
  CL_OK(clReleaseContext(other));
  CL_EXPECT(CL_INVALID_CONTEXT, clReleaseContext(other));
}

}  // namespace
