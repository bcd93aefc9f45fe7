// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class ProgramWithSource : public test::Programs {
 protected:
  cl_int create_error(cl_uint count, const char** strings) const {
    cl_int error = 1;
    const test::Program made = clCreateProgramWithSource(context, count, strings, nullptr, &error);
    EXPECT_EQ(error == CL_SUCCESS, made.get() != nullptr);
    return error;
  }
};

TEST_F(ProgramWithSource, JoinsStringsByTheirLengths) {
  const char* strings[] = {"kernel void", " k() {} garbage", "", "\n"};
  const size_t lengths[] = {0, 7, 0, 1};
  const test::Program program = clCreateProgramWithSource(context, 4, strings, lengths, nullptr);
  EXPECT_EQ("kernel void k() {}\n", test::Programs::program_text(program, CL_PROGRAM_SOURCE));
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(ProgramWithSource, StripsNulls) {
  const char text[] = "int\0 a;\0";
  const char* strings[] = {text};
  const size_t lengths[] = {sizeof text - 1};
  const test::Program program = clCreateProgramWithSource(context, 1, strings, lengths, nullptr);
  EXPECT_EQ("int a;", program_text(program, CL_PROGRAM_SOURCE));
}

TEST_F(ProgramWithSource, RefusesBadArguments) {
  const char* strings[] = {"", nullptr};
  CL_EXPECT(CL_INVALID_VALUE, create_error(0, strings));
  CL_EXPECT(CL_INVALID_VALUE, create_error(1, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, create_error(2, strings));
}

TEST_F(ProgramWithSource, CountsReferences) {
  const test::Program program = create("");
  CL_OK(clRetainProgram(program));
  cl_uint count = 0;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, nullptr));
  EXPECT_EQ(2u, count);
  CL_OK(clReleaseProgram(program));
}

TEST_F(ProgramWithSource, OtherOriginsAreRefused) {
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 1, &device, "none", &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 1, &device, nullptr, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(context, 0, nullptr, "none", &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
}

TEST_F(ProgramWithSource, TellsOfItself) {
  const test::Program program = build("kernel void first() {} kernel void second(int a) {}");
  EXPECT_EQ("first;second", program_text(program, CL_PROGRAM_KERNEL_NAMES));
  size_t kernels = 0;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr));
  EXPECT_EQ(2u, kernels);
  cl_context found = nullptr;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof found, &found, nullptr));
  EXPECT_EQ(context.get(), found);
  cl_device_id its_device = nullptr;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof its_device, &its_device, nullptr));
  EXPECT_EQ(device, its_device);
  size_t size = 1;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size));
  EXPECT_EQ(0u, size);
}

TEST_F(ProgramWithSource, RefusesBadQueries) {
  const test::Program program = create("kernel void k() {}");
  cl_uint number = 0;
  size_t kernels = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, 1, &number, nullptr));
  CL_EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
            clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_STATUS, sizeof number,
                                                     &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE,
            clGetProgramBuildInfo(program, device, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE,
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, 1, &number, nullptr));
}

}  // namespace
