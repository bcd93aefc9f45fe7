// SPDX-License-Identifier: Apache-2.0
// Exit with work in flight, fork, the library closed, and thousands of objects.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#include "own_process.h"
#include "spin.h"

namespace {

using std::chrono::seconds;

class ProcessLife : public test::SpinTest {
 protected:
  static long resident_kib() {
    long pages = 0, resident = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
      std::fclose(file);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
  }
};

TEST(ProcessEnds, WithWorkInFlight) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        struct Work : ProcessLife {
          void TestBody() override {}
          void begin() {
            SetUp();
            spin_for(queue, 300);
            const test::Event gate = make_user_event();
            std::vector<std::uint8_t> host(20 << 20);
            const test::Buffer buffer = make_buffer(host.size());
            test::Event held;
            clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, host.size(), host.data(), 1, gate.list(),
                                held.out());
            clRetainEvent(held);
          }
        };
        auto* work = new Work;
        work->begin();
        std::exit(testing::Test::HasFailure());
      },
      testing::ExitedWithCode(0), "");
}

// A child that was forked from a process that uses the device gets errors, and ends; the parent goes on.
TEST_F(ProcessLife, ForkAfterUse) {
  const pid_t child = fork();
  if (child == 0) {
    cl_int error = CL_SUCCESS;
    cl_uint count = 0;
    bool right = clCreateBuffer(context, 0, 4, nullptr, &error) == nullptr && error < 0;
    right &= clFinish(queue) < 0;
    right &= clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error) == nullptr && error < 0;
    cl_platform_id platform = nullptr;
    right &= clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS;
    right &= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) < 0;
    std::exit(right ? 0 : 3);
  }
  EXPECT_EQ(test::exit_code_of(child, seconds(20)), 0);
  const test::Event event = spin_for(queue, 1);
  CL_OK(clWaitForEvents(1, event.list()));
}

// Platforms may be asked for before a fork: parent and child both use the device then.
TEST(ProcessForks, BeforeUse) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cl_platform_id platform = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        const auto use = [&] {
          cl_device_id device = nullptr;
          cl_int error = CL_SUCCESS;
          if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return 2;
          const test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
          const test::Queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
          return clFinish(queue) == CL_SUCCESS ? 0 : 3;
        };
        const pid_t child = fork();
        if (child == 0) std::exit(use());
        const int own = use();
        std::exit(own ? own : test::exit_code_of(child, seconds(60)));
      },
      testing::ExitedWithCode(0), "");
}

// The library stays when it is closed: its threads run on.
TEST(ProcessCloses, TheLibrary) {
  const char* path = std::getenv("OCL_ICD_FILENAMES");
  if (!path) GTEST_SKIP() << "OCL_ICD_FILENAMES does not say which library";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        using GetPlatforms = cl_int (*)(cl_uint, cl_platform_id*, cl_uint*);
        using Find = void* (*)(const char*);
        const auto find = reinterpret_cast<Find>(dlsym(library, "clGetExtensionFunctionAddress"));
        cl_platform_id platform = nullptr;
        cl_device_id device = nullptr;
        if (reinterpret_cast<GetPlatforms>(find("clIcdGetPlatformIDsKHR"))(1, &platform, nullptr) !=
            CL_SUCCESS)
          std::exit(2);
        if (reinterpret_cast<decltype(&clGetDeviceIDs)>(find("clGetDeviceIDs"))(platform, CL_DEVICE_TYPE_ALL,
                                                                                1, &device, nullptr))
          std::exit(3);
        cl_int error = CL_SUCCESS;
        cl_context context = reinterpret_cast<decltype(&clCreateContext)>(find("clCreateContext"))(
            nullptr, 1, &device, nullptr, nullptr, &error);
        if (!context) std::exit(4);
        dlclose(library);
        std::exit(reinterpret_cast<decltype(&clReleaseContext)>(find("clReleaseContext"))(context) ? 5 : 0);
      },
      testing::ExitedWithCode(0), "");
}

// Contexts, queues, buffers, events, kernels in thousands: the resident memory stays as it is once it has settled.
TEST_F(ProcessLife, NothingLeaks) {
  const auto round = [&](int i) {
    cl_int error = CL_SUCCESS;
    const test::Context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, static_cast<cl_queue_properties>(i % 4), 0};
    const test::Queue local = clCreateCommandQueueWithProperties(own, device, list, &error);
    CL_OK(error);
    std::vector<std::uint8_t> bytes(8192);
    const test::Buffer buffer = clCreateBuffer(own, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &error);
    test::Event filled, read, gate = clCreateUserEvent(own, &error), held;
    const std::uint32_t word = 7;
    CL_OK(clEnqueueFillBuffer(local, buffer, &word, 4, 0, bytes.size(), 0, nullptr, filled.out()));
    CL_OK(clEnqueueReadBuffer(local, buffer, i % 3 == 0, 0, bytes.size(), bytes.data(), 0, nullptr,
                              read.out()));
    CL_OK(clEnqueueMarkerWithWaitList(local, 1, gate.list(), held.out()));
    CL_OK(clSetEventCallback(held, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr));
    CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    const test::Kernel kernel = make_kernel(spin_program, "spin");
    set_arguments(kernel, spin_memory, cl_ulong{1});
    const std::size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    if (i % 5) CL_OK(clFinish(local));
    CL_OK(clWaitForEvents(1, read.list()));
    if (i % 100 == 0) build("kernel void k" + std::to_string(i) + "(global int* a) { *a = 1; }");
  };
  int i = 0;
  for (; i < 1000; ++i) round(i);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const long before = resident_kib();
  for (; i < 3000; ++i) round(i);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_LT(resident_kib() - before, 8 << 10) << "KiB more than " << before;
}

}  // namespace
