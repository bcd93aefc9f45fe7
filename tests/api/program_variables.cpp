// SPDX-License-Identifier: Apache-2.0
// Program-scope variables: one of each for all kernels of a program and all of their launches.
#include "support/programs.h"

namespace {

class ProgramVariables : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(R"(
      int table[4] = {1, 20, 300, 4000};
      global int* place = table + 1;
      kernel void add(int v) { table[get_global_id(0)] += v; }
      kernel void move(int by) { place += by; }
      kernel void read(global int* out) { for (int i = 0; i < 4; ++i) out[i] = table[i]; out[4] = *place; }
      int next() { static int calls = 100; return calls++; }
      kernel void count(global int* out) { out[0] = next(); }
    )");
    out = make_buffer(std::vector<cl_int>(5));
  }
  void run(const char* name, const void* argument, std::size_t argument_size, std::size_t offset = 0) const {
    const test::Kernel kernel = make_kernel(program, name);
    const std::size_t one = 1;
    CL_OK(clSetKernelArg(kernel, 0, argument_size, argument));
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
  }
  void add(cl_int value, std::size_t place) const { run("add", &value, sizeof value, place); }
  std::vector<cl_int> read(const char* name = "read") const {
    const cl_mem memory = out;
    run(name, &memory, sizeof memory);
    return contents<cl_int>(out, 5);
  }
  test::Program program;
  test::Buffer out;
};

// With and without an offset: the code of the two kinds of launch differs, the variables do not.
TEST_F(ProgramVariables, AreSharedByAllLaunches) {
  EXPECT_EQ((std::vector<cl_int>{1, 20, 300, 4000, 20}), read());
  add(5, 0);
  add(7, 2);
  EXPECT_EQ((std::vector<cl_int>{6, 20, 307, 4000, 20}), read());
  const cl_int by = 2;
  run("move", &by, sizeof by);
  add(1, 3);
  EXPECT_EQ((std::vector<cl_int>{6, 20, 307, 4001, 4001}), read());
}

TEST_F(ProgramVariables, OfFunctionsKeepTheirValue) {
  for (cl_int i = 100; i < 105; ++i) EXPECT_EQ(i, read("count")[0]);
}

TEST_F(ProgramVariables, BeginAnewInAnotherProgram) {
  add(5, 0);
  const test::Program first = std::move(program);
  SetUp();
  EXPECT_EQ((std::vector<cl_int>{1, 20, 300, 4000, 20}), read());
}

TEST_F(ProgramVariables, SizeIsTold) {
  std::size_t size = 0, most = 0;
  CL_OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size,
                              &size, nullptr));
  EXPECT_GE(size, 4 * sizeof(cl_int) + 8 + sizeof(cl_int));
  EXPECT_LE(size, 64u);
  const test::Program none = build("kernel void k() {}");
  CL_OK(clGetProgramBuildInfo(none, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size,
                              nullptr));
  EXPECT_EQ(0u, size);
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr));
  EXPECT_GE(most, 64u << 10);
}

}  // namespace
