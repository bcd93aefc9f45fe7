// SPDX-License-Identifier: Apache-2.0
// The time of a command from START to END does not include the allocation of buffers that the command uses first, nor that of page-locked
// memory for its transfers. This program's driver allocates slowly, and its device has no access to pageable memory, as most GPUs.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "support/opencl.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kEnvironmentIsSet = setenv("CLCUDA_DEVICES", "cpu", 1) == 0 && setenv("CLCUDA_CACHE", "0", 1) == 0;

constexpr std::chrono::milliseconds kAllocation(300);
int allocations = 0;
decltype(DriverTable::cuMemAllocFromPoolAsync) sound_allocation;

CUresult slow_allocation(CUdeviceptr* address, std::size_t size, CUmemoryPool pool, CUstream stream) {
  ++allocations;
  std::this_thread::sleep_for(kAllocation);
  return sound_allocation(address, size, pool, stream);
}

// The device whose next page-locked memory is allocated slowly, and the time when that has been done.
std::atomic<cl_device_id> slow_to_lock = nullptr;
std::once_flag locked_slowly;
cl_ulong locked_at = 0;
// Whether page-locked memory is not allocated yet.
std::atomic<bool> held = false;
decltype(DriverTable::cuMemHostAlloc) sound_locked_allocation;

CUresult slow_locked_allocation(void** memory, std::size_t size, unsigned flags) {
  held.wait(true);
  if (const cl_device_id device = slow_to_lock)
    std::call_once(locked_slowly, [device] {
      std::this_thread::sleep_for(kAllocation);
      clGetHostTimer(device, &locked_at);
    });
  return sound_locked_allocation(memory, size, flags);
}

class ProfiledFirstUse : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    ASSERT_TRUE(kEnvironmentIsSet);
    timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
    allocations = 0;
  }
  // The command, for which one buffer was allocated, took less time than an allocation.
  void expect_without_allocation(cl_event event) const {
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
    cl_ulong started = 0, ended = 0;
    CL_EXPECT(CL_SUCCESS,
              clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof started, &started, nullptr));
    CL_EXPECT(CL_SUCCESS,
              clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr));
    EXPECT_EQ(allocations, 1);
    EXPECT_LT(ended - started, std::chrono::nanoseconds(kAllocation).count());
  }
  test::Queue timed;
};

TEST_F(ProfiledFirstUse, Write) {
  const auto values = test::random_values(64);
  const test::Buffer buffer = make_buffer(values.size());
  test::Event written;
  CL_OK(clEnqueueWriteBuffer(timed, buffer, CL_FALSE, 0, values.size(), values.data(), 0, nullptr,
                             written.out()));
  expect_without_allocation(written);
  EXPECT_EQ(contents(buffer, values.size()), values);
}

TEST_F(ProfiledFirstUse, Fill) {
  const test::Buffer buffer = make_buffer(64);
  const std::uint8_t pattern = test::random_values(1)[0];
  test::Event filled;
  CL_OK(clEnqueueFillBuffer(timed, buffer, &pattern, 1, 0, 64, 0, nullptr, filled.out()));
  expect_without_allocation(filled);
  EXPECT_EQ(contents(buffer, 64), std::vector<std::uint8_t>(64, pattern));
}

TEST_F(ProfiledFirstUse, Kernel) {
  const test::Program program =
      build("kernel void ids(global uint* p) { p[get_global_id(0)] = get_global_id(0) + 1; }");
  const test::Kernel kernel = make_kernel(program, "ids");
  const test::Buffer buffer = make_buffer(4 * sizeof(cl_uint));
  set_arguments(kernel, buffer);
  const std::size_t items = 4;
  test::Event ran;
  CL_OK(clEnqueueNDRangeKernel(timed, kernel, 1, nullptr, &items, nullptr, 0, nullptr, ran.out()));
  expect_without_allocation(ran);
  EXPECT_EQ(contents<cl_uint>(buffer, items), (std::vector<cl_uint>{1, 2, 3, 4}));
}

// The driver copies such a write itself if no blocks for pieces are there.
TEST_F(ProfiledFirstUse, WriteThatDoesNotWaitForPageLocking) {
  const auto values = test::random_values(std::size_t{4} << 20);
  const test::Buffer buffer = make_buffer(values.size());
  held = true;
  test::Event written;
  CL_OK(clEnqueueWriteBuffer(timed, buffer, CL_TRUE, 0, values.size(), values.data(), 0, nullptr,
                             written.out()));
  held = false;
  held.notify_all();
  expect_without_allocation(written);
  EXPECT_EQ(contents(buffer, values.size()), values);
}

// Several threads transfer such a write, piece by piece.
TEST_F(ProfiledFirstUse, LargeWrite) {
  constexpr cl_ulong kClockError = 50'000'000;
  const auto values = test::random_values(std::size_t{48} << 20);
  const test::Buffer buffer = make_buffer(values.size());
  slow_to_lock = device;
  test::Event written;
  CL_OK(clEnqueueWriteBuffer(timed, buffer, CL_FALSE, 0, values.size(), values.data(), 0, nullptr,
                             written.out()));
  CL_OK(clWaitForEvents(1, written.list()));
  slow_to_lock = nullptr;
  cl_ulong started = 0;
  CL_OK(clGetEventProfilingInfo(written, CL_PROFILING_COMMAND_START, sizeof started, &started, nullptr));
  EXPECT_GT(locked_at, 0u);
  EXPECT_GE(started + kClockError, locked_at);
  EXPECT_EQ(contents(buffer, values.size()), values);
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    sound_allocation = made.cuMemAllocFromPoolAsync;
    made.cuMemAllocFromPoolAsync = slow_allocation;
    test::leave_host_page_tables(made);
    sound_locked_allocation = made.cuMemHostAlloc;
    made.cuMemHostAlloc = slow_locked_allocation;
  });
}
