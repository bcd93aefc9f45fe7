// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <mutex>

#include "support/programs.h"

namespace {

using test::Programs;

class BuildProgram : public Programs {};

TEST_F(BuildProgram, GoesFromNoneToSuccess) {
  const test::Program program = create("kernel void k(global int* a) { a[0] = N; }");
  EXPECT_EQ(CL_BUILD_NONE, status(program));
  EXPECT_EQ("", info(program, CL_PROGRAM_BUILD_OPTIONS));
  EXPECT_EQ("", info(program, CL_PROGRAM_BUILD_LOG));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_NONE), binary_type(program));
  CL_OK(clBuildProgram(program, 0, nullptr, "-D N=3", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  EXPECT_EQ("-D N=3", info(program, CL_PROGRAM_BUILD_OPTIONS));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(program));
}

TEST_F(BuildProgram, TellsWhatIsWrongAndWhere) {
  const test::Program program = create("kernel void k() {}\nkernel void broken() { int a = nothing; }\n");
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
  EXPECT_NE(std::string::npos, log.find("nothing")) << log;
  EXPECT_NE(std::string::npos, log.find(":2:")) << log;
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_NONE), binary_type(program));
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k", &error));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

TEST_F(BuildProgram, RefusesBadArguments) {
  const test::Program program = create("kernel void k() {}");
  int user = 0;
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, nullptr, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, &device, "", nullptr, &user));
  const cl_device_id no_device = nullptr;
  CL_EXPECT(CL_INVALID_DEVICE, clBuildProgram(program, 1, &no_device, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(program, 1, &device, "-no-such-option", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

TEST_F(BuildProgram, IsRefusedWhileKernelsExist) {
  const test::Program program = create("kernel void k() {}");
  CL_OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  test::Kernel kernel = clCreateKernel(program, "k", nullptr);
  CL_EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  kernel.reset();
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

struct Told {
  std::mutex mutex;
  std::condition_variable changed;
  cl_program program = nullptr;
  static void CL_CALLBACK notify(cl_program program, void* user) {
    auto* told = static_cast<Told*>(user);
    const std::lock_guard lock(told->mutex);
    told->program = program;
    told->changed.notify_all();
  }
  cl_program wait() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(60), [&] { return program != nullptr; });
    return program;
  }
};

TEST_F(BuildProgram, TellsWhenItIsOver) {
  const test::Program good = create("kernel void k() {}");
  const test::Program bad = create("kernel void k() { + }");
  Told of_good, of_bad;
  CL_OK(clBuildProgram(good, 1, &device, "", Told::notify, &of_good));
  CL_OK(clBuildProgram(bad, 1, &device, "", Told::notify, &of_bad));
  EXPECT_EQ(good.get(), of_good.wait());
  EXPECT_EQ(bad.get(), of_bad.wait());
  EXPECT_EQ(CL_BUILD_SUCCESS, status(good));
  EXPECT_EQ(CL_BUILD_ERROR, status(bad));
}

TEST_F(BuildProgram, CanBeReleasedDuringTheBuild) {
  Told told;
  test::Program program = create("kernel void k() {}");
  CL_OK(clBuildProgram(program, 1, &device, "", Told::notify, &told));
  program.reset();
  EXPECT_NE(nullptr, told.wait());
}

}  // namespace
