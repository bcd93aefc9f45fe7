// SPDX-License-Identifier: Apache-2.0
// What a process may have that its libraries do not expect: no working folder, closed standard streams, a floating-point mode of its own,
// locked memory, threads that are cancelled. And what libraries must leave it: most of its mappings.
#include <sys/mman.h>
#include <sys/resource.h>

#include <cfenv>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/own_process.h"
#include "support/process_memory.h"
#include "support/sanitized.h"
#include "support/spin.h"

namespace {

namespace fs = std::filesystem;

class HostProcess : public test::SpinTest {
 protected:
  void expect_that_programs_work() const {
    const test::Program program = build("kernel void k(global int* a) { a[0] = 42; }");
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer out = make_buffer(std::vector<cl_int>{1});
    set_arguments(kernel, out);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(std::vector<cl_int>{42}, contents<cl_int>(out, 1));
  }
  bool is_cpu() const {
    cl_device_type type = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    return type & CL_DEVICE_TYPE_CPU;
  }
};

TEST_ALONE(HostProcess, BuildsWithoutAWorkingFolder) {
  std::string folder(testing::TempDir() + "gone_XXXXXX");
  ASSERT_NE(nullptr, mkdtemp(folder.data()));
  fs::current_path(folder);
  fs::remove(folder);
  expect_that_programs_work();
}

// A thread that is cancelled in a call ends when the call does.
TEST_ALONE(HostProcess, CancelsThreads) {
  spin_for(queue, 300);
  static std::atomic<bool> has_begun = false, has_returned = false;
  pthread_t thread;
  ASSERT_EQ(0, pthread_create(
                   &thread, nullptr,
                   [](void* its_queue) -> void* {
                     has_begun = true;
                     clFinish(static_cast<cl_command_queue>(its_queue));
                     has_returned = true;
                     pthread_testcancel();
                     return nullptr;
                   },
                   queue.get()));
  while (!has_begun) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(0, pthread_cancel(thread));
  void* result = nullptr;
  EXPECT_EQ(0, pthread_join(thread, &result));
  EXPECT_EQ(PTHREAD_CANCELED, result);
  EXPECT_TRUE(has_returned);
  expect_that_programs_work();
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
}

// The system allows a process 65530 mappings (vm.max_map_count), most of which are the application's.
TEST_ALONE(HostProcess, KeepsMostOfItsMappings) {
  if (!is_cpu()) GTEST_SKIP() << "a GPU's memory is not mapped by allocation";
  constexpr std::size_t kBuffers = 20000, kSome = 400;
  const std::size_t before = mappings();
  std::vector<test::Buffer> buffers;
  for (cl_int i = 0; i < static_cast<cl_int>(kBuffers); ++i)
    buffers.push_back(make_buffer(std::vector<cl_int>(1 + static_cast<std::size_t>(i) % 100, i)));
  EXPECT_LT(mappings(), before + 18000);
  for (std::size_t i = kSome; i < buffers.size(); i += kSome)
    EXPECT_EQ(static_cast<cl_int>(i), contents<cl_int>(buffers[i], 1)[0]);
  // Memory that has been freed is zero or new when it is used again, whichever kind it was.
  for (std::size_t i = 0; i < buffers.size(); i += 2) buffers[i] = {};
  for (std::size_t i = 0; i < buffers.size(); i += 2)
    buffers[i] = make_buffer(std::vector<cl_int>(1000, static_cast<cl_int>(i)));
  EXPECT_LT(mappings(), before + 18000);
  for (std::size_t i = 0; i < buffers.size(); i += kSome)
    EXPECT_EQ(static_cast<cl_int>(i), contents<cl_int>(buffers[i], 1)[0]);
}

// Colors are converted to nearest, and without traps, whatever the mode of the calling thread.
TEST_F(HostProcess, HasAFloatingPointModeOfItsOwn) {
  const cl_image_format format{CL_R, CL_UNORM_INT8}, of_half{CL_R, CL_HALF_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 1;
  const std::size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  const auto filled = [&](const cl_image_format& with, cl_float color) {
    cl_int error = 1;
    const test::Buffer image = clCreateImage(context, 0, &with, &description, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const cl_float4 value{{color, 0, 0, 0}};
    CL_EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, &value, origin, region, 0, nullptr, nullptr));
    cl_ushort texel = 0;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, &texel, 0, nullptr, nullptr));
    return texel;
  };
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetround(FE_UPWARD);
  const unsigned texel = filled(format, 0.0001f);
  EXPECT_EQ(FE_UPWARD, std::fegetround());
  std::fesetenv(&before);
  EXPECT_EQ(0u, texel);
  feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
  const unsigned too_large = filled(of_half, 1e30f);
  std::fesetenv(&before);
  EXPECT_EQ(0x7c00u, too_large);
}

// After mlockall(), the whole of a thread's stack takes memory at once.
bool lock_memory() {
  const rlimit most{RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_MEMLOCK, &most) == 0 && mlockall(MCL_FUTURE) == 0;
}

TEST_F(HostProcess, DISABLED_LocksItsMemory) {
  const long before = test::resident_kib();
  ASSERT_TRUE(lock_memory());
  const std::vector<char> locked(1 << 20);
  expect_that_programs_work();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, before + (512 << 10));
}
TEST(HostProcessAlone, LocksItsMemory) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer has more memory than can be locked";
  const pid_t child = fork();
  if (child == 0) _exit(lock_memory() ? 0 : 1);
  if (test::exit_code_of(child, std::chrono::seconds(10)) != 0) GTEST_SKIP() << "memory cannot be locked";
  test::run_alone("HostProcess.DISABLED_LocksItsMemory");
}

}  // namespace
