// SPDX-License-Identifier: Apache-2.0
// Which commands run concurrently and which wait, in out-of-order queues and between queues, as shown by their status.
#include <algorithm>
#include <thread>

#include "support/spin.h"

namespace {

class OutOfOrder : public test::SpinTest {
 protected:
  void SetUp() override {
    test::SpinTest::SetUp();
    if (HasFatalFailure()) return;
    loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_uint units = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr));
    beside = static_cast<int>(std::min<cl_uint>(units, 8)) - 1;
    if (beside < 1) GTEST_SKIP() << "a device that runs one work-group at a time";
  }
  test::Event fill(cl_command_queue where, cl_uint count = 0, const cl_event* waits = nullptr) const {
    test::Event filled;
    const cl_uint value = 1;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(where, spin_memory, &value, sizeof value, 0, sizeof value,
                                              count, waits, filled.out()));
    return filled;
  }
  void expect_complete(cl_event event) const { EXPECT_EQ(test::status_of(event), CL_COMPLETE); }
  void expect_open(cl_event event) const { EXPECT_GT(test::status_of(event), CL_COMPLETE); }

  test::Queue loose;
  int beside = 0;  // kernels that run concurrently with another one
};

// The last of several kernels completes while all others still run; no wait list, event or flush is needed for that.
TEST_F(OutOfOrder, IndependentCommandsRunBesideEachOther) {
  std::vector<test::Event> running;
  for (int i = 0; i < beside; ++i) running.push_back(spin_for(loose, 150));
  const test::Event quick = spin_for(loose, 1);
  CL_OK(clWaitForEvents(1, quick.list()));
  for (const test::Event& event : running) expect_open(event);
  CL_OK(clFinish(loose));
  for (const test::Event& event : running) expect_complete(event);
}

// The same for in-order queues, with and without profiling.
TEST_F(OutOfOrder, QueuesRunBesideEachOther) {
  std::vector<test::Queue> queues;
  std::vector<test::Event> running;
  for (int i = 0; i < beside; ++i) {
    queues.push_back(make_queue(i % 2 ? CL_QUEUE_PROFILING_ENABLE : 0));
    running.push_back(spin_for(queues.back(), 150));
  }
  const test::Event quick = spin_for(queue, 1);
  CL_OK(clWaitForEvents(1, quick.list()));
  for (const test::Event& event : running) expect_open(event);
  for (const test::Queue& each : queues) CL_OK(clFinish(each));
}

// Only commands that wait for a command are delayed by it, also if that command is held by a user event.
TEST_F(OutOfOrder, WaitListsHoldUpNothingElse) {
  const test::Queue in_order = make_queue(0);
  const test::Event gate = make_user_event();
  const test::Event slow = spin_for(loose, 150);
  test::Event gated;
  CL_OK(clEnqueueMarkerWithWaitList(loose, 1, gate.list(), gated.out()));
  const test::Event behind = fill(loose, 1, slow.list()), behind_elsewhere = fill(in_order, 1, slow.list()),
                    behind_both = fill(in_order, 1, gated.list());
  const test::Event free = fill(loose), free_elsewhere = fill(queue);
  const cl_event both[] = {free, free_elsewhere};
  CL_OK(clWaitForEvents(2, both));
  for (const cl_event event :
       {slow.get(), behind.get(), behind_elsewhere.get(), gated.get(), behind_both.get()})
    expect_open(event);
  CL_OK(clWaitForEvents(1, behind.list()));
  expect_complete(slow);
  CL_OK(clWaitForEvents(1, behind_elsewhere.list()));
  expect_open(gated);
  expect_open(behind_both);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(in_order));
  expect_complete(gated);
  expect_complete(behind_both);
}

// A barrier without a wait list waits for all earlier commands, and all later commands wait for it; a marker only waits.
TEST_F(OutOfOrder, BarriersAndMarkers) {
  const test::Event first = spin_for(loose, 100), second = spin_for(loose, 1);
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(loose, 0, nullptr, marker.out()));
  const test::Event beside_marker = fill(loose);
  CL_OK(clWaitForEvents(1, beside_marker.list()));
  expect_open(first);
  expect_open(marker);
  CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
  const test::Event behind = fill(loose);
  CL_OK(clWaitForEvents(1, behind.list()));
  for (const cl_event event : {first.get(), second.get(), marker.get()}) expect_complete(event);

  // A barrier with a wait list waits for that list only, and all later commands wait for it.
  const test::Event slow = spin_for(loose, 100);
  const test::Event gate = make_user_event();
  CL_OK(clEnqueueBarrierWithWaitList(loose, 1, gate.list(), nullptr));
  const test::Event held = fill(loose), elsewhere = fill(queue);
  CL_OK(clWaitForEvents(1, elsewhere.list()));
  expect_open(held);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, held.list()));
  expect_open(slow);
  CL_OK(clFinish(loose));
}

// A failed command makes its dependents fail, in every queue, but a barrier does not propagate the failure.
TEST_F(OutOfOrder, FailureCrossesQueues) {
  const test::Queue in_order = make_queue(0);
  const test::Event gate = make_user_event();
  const test::Event first = fill(loose, 1, gate.list()), second = fill(in_order, 1, first.list()),
                    third = fill(queue, 1, second.list());
  CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
  const test::Event after_barrier = fill(loose), after_failed = fill(in_order);
  CL_OK(clSetUserEventStatus(gate, -9));
  CL_OK(clFinish(loose));
  CL_OK(clFinish(in_order));
  CL_OK(clFinish(queue));
  for (const cl_event event : {first.get(), second.get(), third.get()})
    EXPECT_EQ(test::status_of(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  expect_complete(after_barrier);
  expect_complete(after_failed);
}

// Section 5.2.2: a blocking write is complete when it returns, so commands of other queues see it without synchronization.
TEST_F(OutOfOrder, OtherQueuesSeeBlockingWrites) {
  const test::Queue other = make_queue(0);
  for (const std::size_t size : {64ul, 100'000ul, 1'000'000ul}) {
    const auto bytes = test::random_values(size);
    for (const bool with_event : {false, true}) {
      const test::Buffer buffer = make_buffer(std::vector<std::uint8_t>(size)), copy = make_buffer(size);
      test::Event written;
      spin_for(queue, 20);
      CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr,
                                 with_event ? written.out() : nullptr));
      if (with_event) expect_complete(written);
      CL_OK(clEnqueueCopyBuffer(other, buffer, copy, 0, 0, size, 0, nullptr, nullptr));
      CL_OK(clFinish(other));
      EXPECT_TRUE(contents(copy, size) == bytes) << size;
    }
  }
}

// The same for writes of two threads, in two queues, to one buffer.
TEST_F(OutOfOrder, OtherQueuesSeeBlockingWritesOfTwoThreads) {
  constexpr std::size_t kHalf = 200'000;
  const test::Queue queues[] = {make_queue(0), make_queue(0)}, other = make_queue(0);
  const test::Buffer buffer = make_buffer(2 * kHalf), copy = make_buffer(2 * kHalf);
  for (int round = 0; round < 30; ++round) {
    const auto bytes = test::random_values(2 * kHalf);
    std::vector<std::thread> threads;
    for (std::size_t half = 0; half < 2; ++half)
      threads.emplace_back([&, half] {
        CL_EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queues[half], buffer, CL_TRUE, half * kHalf, kHalf,
                                                   bytes.data() + half * kHalf, 0, nullptr, nullptr));
      });
    for (std::thread& thread : threads) thread.join();
    CL_OK(clEnqueueCopyBuffer(other, buffer, copy, 0, 0, 2 * kHalf, 0, nullptr, nullptr));
    CL_OK(clFinish(other));
    ASSERT_TRUE(contents(copy, 2 * kHalf) == bytes) << "round " << round;
  }
}

// A transfer that a host thread executes is not CL_RUNNING while it waits for its wait list.
TEST_F(OutOfOrder, LargeTransfersBeginBehindTheirWaitLists) {
  std::vector<std::uint8_t> bytes(16 << 20);
  const test::Buffer buffer = make_buffer(bytes.size());
  for (const cl_command_queue other : {loose.get(), queue.get()}) {
    const test::Event spun = spin_for(queue, 150);
    test::Event written, read;
    CL_OK(clEnqueueWriteBuffer(other, buffer, CL_FALSE, 0, bytes.size(), bytes.data(), 1, spun.list(),
                               written.out()));
    CL_OK(clEnqueueReadBuffer(other, buffer, CL_FALSE, 0, bytes.size(), bytes.data(), 1, written.list(),
                              read.out()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_GT(test::status_of(written), CL_RUNNING);
    EXPECT_GT(test::status_of(read), CL_RUNNING);
    expect_open(spun);
    CL_OK(clWaitForEvents(1, read.list()));
    expect_complete(written);
  }
}

// Section 3.2.1: each barrier waits for all commands before it and delays all after it, with thousands of held commands.
TEST_F(OutOfOrder, BarriersOverManyHeldCommands) {
  constexpr cl_uint kSteps = 2000;
  for (const cl_int end : {CL_COMPLETE, -1}) {
    const test::Event gate = make_user_event();
    const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kSteps + 1));
    std::vector<cl_uint> read(kSteps);
    test::Event first;
    CL_OK(clEnqueueMarkerWithWaitList(loose, 1, gate.list(), first.out()));
    CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
    std::vector<test::Event> points;  // after some of the reads
    std::vector<cl_uint> steps;
    for (cl_uint step = 0; step < kSteps; ++step) {
      const cl_uint value = step + 1;
      CL_OK(clEnqueueFillBuffer(loose, buffer, &value, 4, 0, 4, 0, nullptr, nullptr));
      CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr));
      // The copy and the read do not wait for each other.
      CL_OK(clEnqueueCopyBuffer(loose, buffer, buffer, 0, 4 + 4 * step, 4, 0, nullptr, nullptr));
      CL_OK(clEnqueueReadBuffer(loose, buffer, CL_FALSE, 0, 4, &read[step], 0, nullptr, nullptr));
      test::Event* point = nullptr;
      if (test::random_engine()() % 4 == 0) {
        steps.push_back(step);
        point = &points.emplace_back();
      }
      if (test::random_engine()() % 2) {
        CL_OK(clEnqueueMarkerWithWaitList(loose, 0, nullptr, point ? point->out() : nullptr));
        point = nullptr;
      }
      CL_OK(clEnqueueBarrierWithWaitList(loose, 0, nullptr, point ? point->out() : nullptr));
    }
    expect_open(points.front());
    CL_OK(clSetUserEventStatus(gate, end));
    // Waits for the events in either direction.
    const bool backwards = test::random_engine()() % 2;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::size_t at = backwards ? points.size() - 1 - i : i;
      CL_OK(clWaitForEvents(1, points[at].list()));
      ASSERT_EQ(read[steps[at]], steps[at] + 1);
    }
    CL_OK(clFinish(loose));
    // Commands that do not depend on the user event succeed when it fails.
    EXPECT_EQ(test::status_of(first) < 0, end < 0);
    const auto copied = contents<cl_uint>(buffer, kSteps + 1);
    for (cl_uint step = 0; step < kSteps; ++step) {
      ASSERT_EQ(read[step], step + 1);
      ASSERT_EQ(copied[step + 1], step + 1);
    }
  }
}

}  // namespace
