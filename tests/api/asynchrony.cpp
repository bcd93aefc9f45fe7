// SPDX-License-Identifier: Apache-2.0
// Calls that must not wait for a running kernel: the kernel's status is not yet CL_COMPLETE when they have returned.
#include <time.h>

#include <numeric>
#include <thread>

#include "support/sanitized.h"
#include "support/spin.h"

namespace {

class Asynchrony : public test::SpinTest {
 protected:
  // Calls `act` while a kernel runs that takes longer unless `act` waits for it. Sanitizers slow down everything except kernels.
  static constexpr unsigned kMilliseconds = test::kSanitized ? 1500 : 300;
  template <class Act>
  void beside_a_kernel(Act act) {
    const test::Event running = spin_for(queue, kMilliseconds);
    act();
    EXPECT_GT(test::status_of(running), CL_COMPLETE) << "something waited for the kernel";
    CL_OK(clWaitForEvents(1, running.list()));
  }
};

TEST_F(Asynchrony, ALaunchReturnsBeforeTheKernelRuns) {
  beside_a_kernel([] {});
}

TEST_F(Asynchrony, CreatingAndReleasing) {
  const test::Queue other = make_queue(0);
  std::vector<test::Buffer> used;
  for (int i = 0; i < 8; ++i) {
    used.push_back(make_buffer(std::vector<std::uint8_t>(1 << 20)));
    const std::uint32_t zero = 0;
    CL_OK(clEnqueueFillBuffer(other, used.back(), &zero, sizeof zero, 0, 1 << 20, 0, nullptr, nullptr));
  }
  CL_OK(clFinish(other));
  beside_a_kernel([&] {
    used.clear();
    for (int i = 0; i < 8; ++i) {
      const test::Queue in_order = make_queue(0), loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
      const test::Buffer buffer = make_buffer(64 << 10),
                         copied = make_buffer(std::vector<std::uint8_t>(1000));
      const test::Event user = make_user_event();
      test::Event marker, fill;
      const std::uint32_t zero = 0;
      CL_OK(clEnqueueMarkerWithWaitList(in_order, 1, user.list(), marker.out()));
      CL_OK(clEnqueueFillBuffer(loose, buffer, &zero, sizeof zero, 0, 64 << 10, 0, nullptr, fill.out()));
      CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
      cl_int error = CL_SUCCESS;
      const test::Context context2 = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
      CL_OK(error);
    }
  });
}

// Includes the kernel object and the buffer that the running kernel uses.
TEST_F(Asynchrony, ReleasingWhatTheKernelUses) {
  beside_a_kernel([&] {
    spin_memory.reset();
    spin_kernel.reset();
    spin_program.reset();
  });
}

TEST_F(Asynchrony, BuildingAndReleasingPrograms) {
  beside_a_kernel([&] {
    const test::Program program = build("kernel void another(global int* a) { a[get_global_id(0)] *= 3; }");
    const test::Kernel kernel = make_kernel(program, "another");
    cl_uint arguments = 0;
    CL_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr));
    EXPECT_EQ(arguments, 1u);
  });
  // Releases a kernel whose code was loaded before.
  test::Program old = build("kernel void old(global int* a) { *a = 1; }");
  test::Kernel kernel = make_kernel(old, "old");
  std::size_t size = 0;
  CL_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
  EXPECT_GT(size, 0u);
  beside_a_kernel([&] {
    kernel.reset();
    old.reset();
  });
}

// A program that is built while a kernel runs can be used afterwards.
TEST_F(Asynchrony, WhatWasBuiltRuns) {
  test::Program program;
  beside_a_kernel(
      [&] { program = build("kernel void triple(global int* a) { a[get_global_id(0)] *= 3; }"); });
  std::vector<cl_int> values(1000);
  std::iota(values.begin(), values.end(), -500);
  const test::Buffer buffer = make_buffer(values);
  const test::Kernel kernel = make_kernel(program, "triple");
  set_arguments(kernel, buffer);
  const std::size_t count = values.size();
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  for (cl_int& value : values) value *= 3;
  EXPECT_EQ(contents<cl_int>(buffer, count), values);
}

// Transfers in the kernel's queue follow the kernel, those in another queue need not; neither call waits.
TEST_F(Asynchrony, TransfersOfPageableMemory) {
  const test::Queue other = make_queue(0);
  for (const std::size_t size : {std::size_t{4}, std::size_t{100'000}, std::size_t{20} << 20}) {
    SCOPED_TRACE(size);
    const auto sent = test::random_values(size);
    std::vector<std::uint8_t> back(size), back_too(size);
    const test::Buffer buffer = make_buffer(size), second = make_buffer(size);
    test::Event written, read, written_too, read_too;
    beside_a_kernel([&] {
      CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, size, sent.data(), 0, nullptr, written.out()));
      CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, size, back.data(), 0, nullptr, read.out()));
      CL_OK(
          clEnqueueWriteBuffer(other, second, CL_FALSE, 0, size, sent.data(), 0, nullptr, written_too.out()));
      CL_OK(
          clEnqueueReadBuffer(other, second, CL_FALSE, 0, size, back_too.data(), 0, nullptr, read_too.out()));
      CL_OK(clFlush(other));
    });
    const cl_event all[] = {read, read_too};
    CL_OK(clWaitForEvents(2, all));
    EXPECT_TRUE(back == sent);
    EXPECT_TRUE(back_too == sent);
  }
}

// A blocking call sleeps instead of polling: a wait of 300 ms takes almost no processor time.
TEST_F(Asynchrony, WaitingTakesNoProcessorTime) {
  const auto processor_ms = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const std::size_t small = 1000, large = std::size_t{8} << 20;
  std::vector<std::uint8_t> host(large);
  const test::Buffer buffer = make_buffer(host);
  test::Event running;
  const std::vector<std::pair<const char*, std::function<cl_int()>>> waits{
      {"clFinish", [&] { return clFinish(queue); }},
      {"clWaitForEvents", [&] { return clWaitForEvents(1, running.list()); }},
      {"a small read",
       [&] {
         return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, small, host.data(), 0, nullptr, nullptr);
       }},
      {"a large read",
       [&] {
         return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, large, host.data(), 0, nullptr, nullptr);
       }},
      {"a large write",
       [&] {
         return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, large, host.data(), 0, nullptr, nullptr);
       }},
      {"a map", [&] {
         cl_int error = CL_SUCCESS;
         void* mapped =
             clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, small, 0, nullptr, nullptr, &error);
         return error == CL_SUCCESS ? clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr)
                                    : error;
       }}};
  for (const auto& [name, wait] : waits) {
    SCOPED_TRACE(name);
    running = spin_for(queue, 300);
    const double before = processor_ms();
    CL_OK(wait());
    EXPECT_LT(processor_ms() - before, 60);
    EXPECT_EQ(test::status_of(running), CL_COMPLETE);
  }
  // The same for a wait for a user event.
  const test::Event gate = make_user_event();
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), nullptr));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    clSetUserEventStatus(gate, CL_COMPLETE);
  });
  const double before = processor_ms();
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT_LT(processor_ms() - before, 60);
  opener.join();
}

}  // namespace
