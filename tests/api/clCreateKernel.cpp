// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class CreateKernel : public test::Programs {
 protected:
  static std::string name(cl_kernel kernel) {
    char text[100] = {};
    CL_EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, nullptr));
    return text;
  }
};

TEST_F(CreateKernel, ByName) {
  const test::Program program = build("kernel void a() {} kernel void b(int x, int y) {}");
  const test::Kernel kernel = make_kernel(program, "b");
  EXPECT_EQ("b", name(kernel));
  cl_uint count = 0;
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  EXPECT_EQ(2u, count);
  cl_program its_program = nullptr;
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof its_program, &its_program, nullptr));
  EXPECT_EQ(program.get(), its_program);
  cl_context its_context = nullptr;
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof its_context, &its_context, nullptr));
  EXPECT_EQ(context.get(), its_context);
}

TEST_F(CreateKernel, RefusesBadArguments) {
  const test::Program program = build("kernel void a() {} void no_kernel() {}");
  const test::Program unbuilt = create("kernel void a() {}");
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateKernel(program, nullptr, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateKernel(program, "no_kernel", &error));
  EXPECT_EQ(CL_INVALID_KERNEL_NAME, error);
  EXPECT_EQ(nullptr, clCreateKernel(program, "", &error));
  EXPECT_EQ(CL_INVALID_KERNEL_NAME, error);
  EXPECT_EQ(nullptr, clCreateKernel(unbuilt, "a", &error));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

TEST_F(CreateKernel, AllOfAProgram) {
  const test::Program program = build("kernel void a() {} kernel void b() {} kernel void c() {}");
  cl_uint count = 0;
  CL_OK(clCreateKernelsInProgram(program, 0, nullptr, &count));
  ASSERT_EQ(3u, count);
  cl_kernel kernels[4] = {};
  CL_EXPECT(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 2, kernels, &count));
  CL_OK(clCreateKernelsInProgram(program, 4, kernels, &count));
  EXPECT_EQ(nullptr, kernels[3]);
  std::string names;
  for (int i = 0; i < 3; ++i) {
    names += name(kernels[i]);
    CL_EXPECT(CL_SUCCESS, clReleaseKernel(kernels[i]));
  }
  EXPECT_EQ("abc", names);
  const test::Program unbuilt = create("kernel void a() {}");
  CL_EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 4, kernels, &count));
}

TEST_F(CreateKernel, KeepsItsProgramAndCountsReferences) {
  test::Program program = build("kernel void a() {}");
  const test::Kernel kernel = make_kernel(program, "a");
  program.reset();
  CL_OK(clRetainKernel(kernel));
  cl_uint count = 0;
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, nullptr));
  EXPECT_EQ(2u, count);
  CL_OK(clReleaseKernel(kernel));
  EXPECT_EQ("a", name(kernel));
}

TEST_F(CreateKernel, ClonesLeaveTheOriginalAlone) {
  const test::Program program = build("kernel void k(global int* a, int b) { a[0] = b; }");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer buffer = make_buffer(std::vector<cl_int>{0});
  set_arguments(kernel, buffer, cl_int{5});
  cl_int error = 1;
  const test::Kernel clone = clCloneKernel(kernel, &error);
  CL_OK(error);
  set_argument(clone, 1, cl_int{6});
  EXPECT_NE(kernel.get(), clone.get());
  const size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_int>{5}, contents<cl_int>(buffer, 1));
  CL_OK(clEnqueueNDRangeKernel(queue, clone, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_int>{6}, contents<cl_int>(buffer, 1));
}

}  // namespace
