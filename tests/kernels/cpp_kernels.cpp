// SPDX-License-Identifier: Apache-2.0
// Kernels in C++ for OpenCL: their arguments, and where in a program they may be declared.
#include "support/cpp_for_opencl.h"

namespace {

class CppKernels : public test::CppPrograms {};

// A reference parameter is set like a pointer (clSetKernelArg: a memory object, or the size of local memory).
TEST_F(CppKernels, TakeReferences) {
  const test::Program program = build(R"(
struct Pair { int first, second; };
kernel void k(global int& sum, const global Pair& pair, constant int& scale, local int& shared, global int (&each)[16]) {
  const int l = get_local_id(0);
  if (l == 3) shared = scale;
  barrier(CLK_LOCAL_MEM_FENCE);
  each[l] = shared * (pair.second + l);
  if (l == 5) sum += pair.first;
})",
                                      "-cl-std=CLC++2021 -cl-kernel-arg-info");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer sum = make_buffer(std::vector<cl_int>{40}),
                     pair = make_buffer(std::vector<cl_int>{2, 7}),
                     scale = make_buffer(std::vector<cl_int>{10}),
                     each = make_buffer(std::vector<cl_int>(16));
  const cl_mem buffers[] = {sum, pair, scale, nullptr, each};
  for (const cl_uint i : {0U, 1U, 2U, 4U}) CL_OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, sizeof(cl_mem), &buffers[0]));
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, 0, nullptr));
  CL_OK(clSetKernelArg(kernel, 3, sizeof(cl_int), nullptr));
  const std::size_t size = 16;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr));
  EXPECT_EQ(42, contents<cl_int>(sum, 1)[0]);
  const std::vector<cl_int> found = contents<cl_int>(each, size);
  for (cl_int l = 0; l < 16; ++l) EXPECT_EQ(10 * (7 + l), found[static_cast<std::size_t>(l)]);

  cl_kernel_arg_address_qualifier space = 0;
  CL_OK(clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr));
  EXPECT_EQ(static_cast<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_LOCAL), space);
  cl_kernel_arg_type_qualifier qualifiers = 0;
  CL_OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, nullptr));
  EXPECT_EQ(static_cast<cl_kernel_arg_type_qualifier>(CL_KERNEL_ARG_TYPE_CONST), qualifiers);
  char name[16] = {};
  CL_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr));
  EXPECT_STREQ("int&", name);
}

// Kernels have C linkage in any namespace: applications find them by their unqualified names.
TEST_F(CppKernels, StandInNamespaces) {
  const test::Program program = build(R"(
namespace { int twice(int x) { return 2 * x; } kernel void a(global int& sum) { sum = twice(sum); } }
namespace outer::inner { struct More { int by; }; kernel void b(global int& sum, More more) { sum += more.by; } }
extern "C" { int thrice(int x) { return 3 * x; } kernel void c(global int& sum) { sum = thrice(sum); } })",
                                      "-cl-std=CLC++2021");
  const auto first = static_cast<cl_int>(test::random_engine()() % 1000);
  const test::Buffer sum = make_buffer(std::vector<cl_int>{first});
  for (const char* name : {"a", "b", "c"}) {
    const test::Kernel kernel = make_kernel(program, name);
    const cl_mem argument = sum;
    CL_OK(clSetKernelArg(kernel, 0, sizeof argument, &argument));
    const cl_int more = 5;
    if (name[0] == 'b') CL_OK(clSetKernelArg(kernel, 1, sizeof more, &more));
    const std::size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  }
  EXPECT_EQ(3 * (2 * first + 5), contents<cl_int>(sum, 1)[0]);
  cl_uint count = 0;
  CL_OK(clCreateKernelsInProgram(program, 0, nullptr, &count));
  EXPECT_EQ(3U, count);
}

}  // namespace
