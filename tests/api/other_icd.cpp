// SPDX-License-Identifier: Apache-2.0
// Another OpenCL implementation in the same process, with its own copy of LLVM: both work, also at the same time.
#include <array>
#include <cstdio>
#include <fstream>
#include <thread>

#include "support/opencl.h"
#include "support/own_process.h"
#include "support/sanitized.h"

namespace {

constexpr const char* kOther = "/etc/OpenCL/vendors/pocl.icd";

class BothImplementations : public testing::Test {
 protected:
  struct Implementation {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    test::Context context;
    test::Queue queue;
  };

  void SetUp() override {
    std::array<cl_platform_id, 8> platforms{};
    cl_uint count = 0;
    CL_OK(clGetPlatformIDs(platforms.size(), platforms.data(), &count));
    for (cl_uint i = 0; i < std::min<cl_uint>(count, platforms.size()); ++i) {
      std::array<char, 100> name{};
      CL_OK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, name.size(), name.data(), nullptr));
      const bool ours = std::string(name.data()).starts_with("clcuda");
      start(ours ? own : other, platforms[i]);
    }
    ASSERT_NE(own.queue.get(), nullptr);
    ASSERT_NE(other.queue.get(), nullptr);
  }
  static void start(Implementation& made, cl_platform_id platform) {
    cl_int error = CL_SUCCESS;
    made.platform = platform;
    CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &made.device, nullptr));
    made.context = clCreateContext(nullptr, 1, &made.device, nullptr, nullptr, &error);
    CL_OK(error);
    made.queue = clCreateCommandQueueWithProperties(made.context, made.device, nullptr, &error);
    CL_OK(error);
  }
  static void compute(const Implementation& with, cl_uint factor) {
    const std::string source =
        "kernel void scale(global uint* a) { a[get_global_id(0)] *= " + std::to_string(factor) + "u; }";
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    const test::Program program = clCreateProgramWithSource(with.context, 1, &text, nullptr, &error);
    CL_OK(error);
    CL_OK(clBuildProgram(program, 1, &with.device, "", nullptr, nullptr));
    const test::Kernel kernel = clCreateKernel(program, "scale", &error);
    CL_OK(error);
    std::vector<cl_uint> words(1000), seen(words.size());
    for (cl_uint& word : words) word = factor ^ static_cast<cl_uint>(&word - words.data());
    const std::size_t size = words.size(), bytes = size * sizeof(cl_uint);
    const test::Buffer buffer =
        clCreateBuffer(with.context, CL_MEM_COPY_HOST_PTR, bytes, words.data(), &error);
    CL_OK(error);
    const cl_mem memory = buffer;
    CL_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    CL_OK(clEnqueueNDRangeKernel(with.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
    CL_OK(clEnqueueReadBuffer(with.queue, buffer, CL_TRUE, 0, bytes, seen.data(), 0, nullptr, nullptr));
    for (cl_uint& word : words) word *= factor;
    EXPECT_EQ(seen, words);
  }

  Implementation own, other;
};

TEST_F(BothImplementations, DISABLED_Compute) {
  for (const Implementation* each : {&own, &other, &own}) compute(*each, 3);
  std::thread beside([this] {
    for (cl_uint i = 0; i < 3; ++i) compute(other, 101 + 2 * i);
  });
  for (cl_uint i = 0; i < 10; ++i) compute(own, 11 + 2 * i);
  beside.join();
  // A handle of the other implementation is rejected with an error code.
  cl_int error = CL_SUCCESS;
  const cl_event foreign = clCreateUserEvent(other.context, &error);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(own.queue, 1, &foreign, nullptr));
  clSetUserEventStatus(foreign, CL_COMPLETE);
  clReleaseEvent(foreign);
}

// The ICD loader enumerates implementations once per process, so another process is needed.
TEST(BothImplementationsAlone, Compute) {
  if (test::kSanitized) GTEST_SKIP() << "the other implementation is not built with sanitizers";
  std::string theirs;
  if (!(std::ifstream(kOther) >> theirs)) GTEST_SKIP() << kOther << " is not installed";
  const auto variable = [](const char* name) {
    return std::string(std::getenv(name) ? std::getenv(name) : "");
  };
  const std::string ours = test::library_path(), files_before = variable("OCL_ICD_FILENAMES"),
                    vendors_before = variable("OCL_ICD_VENDORS");
  ASSERT_FALSE(ours.empty());
  std::string folder = testing::TempDir() + "vendors_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/clcuda.icd") << ours << '\n';
  std::ofstream(folder + "/other.icd") << theirs << '\n';
  setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
  unsetenv("OCL_ICD_FILENAMES");
  test::run_alone("BothImplementations.DISABLED_Compute");
  if (!files_before.empty()) setenv("OCL_ICD_FILENAMES", files_before.c_str(), 1);
  setenv("OCL_ICD_VENDORS", vendors_before.c_str(), 1);
  for (const char* file : {"/clcuda.icd", "/other.icd"}) std::remove((folder + file).c_str());
  rmdir(folder.c_str());
}

}  // namespace
