// SPDX-License-Identifier: Apache-2.0
// Builds that fail because of the driver, not because of the program: error codes of sections 5.8.4 to 5.8.6, and the build log.
#include <pthread.h>
#include <sys/prctl.h>

#include <cerrno>

#include "refusing_driver.h"
#include "support/own_process.h"

namespace {
std::atomic<int> threads_left = -1;  // below 0: any number
}

// The library starts its threads by this (CMakeLists.txt).
extern "C" {
decltype(pthread_create) __real_pthread_create, __wrap_pthread_create;  // NOLINT: names of the linker
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                          void* argument) noexcept {  // NOLINT
  const int left = threads_left;
  if (left == 0) return EAGAIN;
  if (left > 0) --threads_left;
  return __real_pthread_create(thread, attributes, main, argument);
}
}

namespace faults {
namespace {

struct Refusal {
  CUresult error;
  cl_int of_build, of_link;
};
constexpr Refusal kRefusals[] = {
    {CUDA_ERROR_OUT_OF_MEMORY, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_HOST_MEMORY},
    {CUDA_ERROR_LAUNCH_FAILED, CL_OUT_OF_RESOURCES, CL_OUT_OF_RESOURCES},
    {CUDA_ERROR_UNKNOWN, CL_OUT_OF_RESOURCES, CL_OUT_OF_RESOURCES},
    {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, CL_COMPILER_NOT_AVAILABLE, CL_LINKER_NOT_AVAILABLE},
    {CUDA_ERROR_INVALID_PTX, CL_BUILD_PROGRAM_FAILURE, CL_LINK_PROGRAM_FAILURE},
};

class BuildRefusals : public RefusingDriver<test::OpenCL> {
 protected:
  test::Program source() const {
    const char* text = "kernel void k(global int* a) { a[0] = 1; }";
    cl_int error = 1;
    test::Program made = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  cl_build_status status(cl_program program) const {
    cl_build_status status = CL_BUILD_NONE;
    CL_EXPECT(CL_SUCCESS, clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                                &status, nullptr));
    return status;
  }
  std::string log(cl_program program) const {
    std::string text(100'000, '\0');
    std::size_t size = 1;
    CL_EXPECT(CL_SUCCESS,
              clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, text.size(), text.data(), &size));
    text.resize(size - 1);
    return text;
  }
};

TEST_F(BuildRefusals, OfTheDriverWhenAProgramIsBuilt) {
  for (const char* function : {"cuLinkCreate", "cuLinkComplete"})
    for (const Refusal& refusal : kRefusals) {
      if (function == std::string_view("cuLinkCreate") && refusal.error == CUDA_ERROR_INVALID_PTX) continue;
      SCOPED_TRACE(function + std::string(" answers ") + std::to_string(refusal.error));
      const test::Program program = source();
      driver::arm({.call = 1, .error = refusal.error, .function = function});
      CL_EXPECT(refusal.of_build, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
      EXPECT_NE(driver::disarm().failed, nullptr);
      EXPECT_EQ(status(program), CL_BUILD_ERROR);
      EXPECT_NE(log(program).find(function), std::string::npos) << log(program);
      CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    }
}

TEST_F(BuildRefusals, OfTheDriverWhenProgramsAreLinked) {
  for (const Refusal& refusal : kRefusals) {
    SCOPED_TRACE(refusal.error);
    const test::Program object = source();
    CL_OK(clCompileProgram(object, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
    driver::arm({.call = 1, .error = refusal.error, .function = "cuLinkComplete"});
    cl_int error = 1;
    const test::Program failed =
        clLinkProgram(context, 1, &device, "", 1, object.list(), nullptr, nullptr, &error);
    EXPECT_NE(driver::disarm().failed, nullptr);
    CL_EXPECT(refusal.of_link, error);
    // Section 5.8.6: with CL_LINK_PROGRAM_FAILURE, the program object is returned with its log.
    EXPECT_EQ(failed.get() != nullptr, error == CL_LINK_PROGRAM_FAILURE);
    const test::Program linked =
        clLinkProgram(context, 1, &device, "", 1, object.list(), nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
  }
}

// The callback of an asynchronous build is called for a failed build too, and the log contains the reason.
// Whichever step of the build it is.
TEST_F(BuildRefusals, OfTheSystemToStartThreads) {
  cl_int code = 1;
  for (int threads = 0; code != CL_SUCCESS; ++threads) {
    ASSERT_LT(threads, 10);
    const test::Program program = source();
    threads_left = threads;
    code = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    threads_left = -1;
    EXPECT_TRUE(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY)
        << threads << " threads: " << test::error_name(code) << log(program);
    EXPECT_TRUE(threads > 1 || code != CL_SUCCESS);
  }
}

// As for services of systemd with MemoryDenyWriteExecute: the machine code for a CPU cannot be loaded.
TEST_ALONE(BuildRefusals, OfTheSystemToExecuteMemory) {
  constexpr int kDenyWriteExecute = 65;
  if (prctl(kDenyWriteExecute, 1, 0, 0, 0) != 0) GTEST_SKIP() << "Linux older than 6.3";
  const test::Program program = source();
  CL_EXPECT(CL_OUT_OF_RESOURCES, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_NE(log(program).find("CUDA_ERROR_OPERATING_SYSTEM"), std::string::npos) << log(program);
}

TEST_F(BuildRefusals, OfTheDriverWhenNobodyWaits) {
  const test::Program program = source();
  std::atomic<bool> told = false;
  driver::arm({.call = 1, .error = CUDA_ERROR_OUT_OF_MEMORY, .function = "cuLinkComplete"});
  const auto tell = [](cl_program, void* to) {
    auto* flag = static_cast<std::atomic<bool>*>(to);
    *flag = true;
    flag->notify_all();
  };
  CL_OK(clBuildProgram(program, 1, &device, "", tell, &told));
  told.wait(false);
  EXPECT_EQ(status(program), CL_BUILD_ERROR);
  EXPECT_NE(log(program).find("cuLinkComplete"), std::string::npos) << log(program);
}

}  // namespace
}  // namespace faults
