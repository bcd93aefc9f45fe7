// SPDX-License-Identifier: Apache-2.0
// Profiling times of commands that wait for others. Errors are tested in clSetEventCallback.cpp.
#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "support/spin.h"

namespace {

struct Times {
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0, complete = 0;
};

class Profiling : public test::SpinTest {
 protected:
  static Times times_of(cl_event event) {
    Times times;
    const std::pair<cl_profiling_info, cl_ulong*> asked[] = {
        {CL_PROFILING_COMMAND_QUEUED, &times.queued},
        {CL_PROFILING_COMMAND_SUBMIT, &times.submitted},
        {CL_PROFILING_COMMAND_START, &times.started},
        {CL_PROFILING_COMMAND_END, &times.ended},
        {CL_PROFILING_COMMAND_COMPLETE, &times.complete}};
    for (const auto& [name, value] : asked)
      CL_EXPECT(CL_SUCCESS, clGetEventProfilingInfo(event, name, sizeof *value, value, nullptr));
    EXPECT_LE(times.queued, times.submitted);
    EXPECT_LE(times.submitted, times.started);
    EXPECT_LE(times.started, times.ended);
    EXPECT_LE(times.ended, times.complete);
    return times;
  }
  cl_ulong host_time() const {
    cl_ulong time = 0;
    CL_EXPECT(CL_SUCCESS, clGetHostTimer(device, &time));
    return time;
  }

  // The largest difference between host and device clock after synchronization.
  static constexpr cl_ulong kError = 200'000;
  static constexpr cl_ulong kMillisecond = 1'000'000;
};

// A command in an in-order queue starts when the previous one has ended, not when it is submitted.
TEST_F(Profiling, CommandsStartBehindEachOther) {
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  constexpr std::size_t kLarge = 8 << 20;  // pageable memory of this size is transferred by a host thread
  const test::Buffer buffer = make_buffer(std::vector<std::uint8_t>(kLarge));
  std::vector<std::uint8_t> large(kLarge), small(64);
  const cl_ulong before = host_time();
  const test::Event first = spin_for(timed, 100), second = spin_for(timed, 100);
  test::Event large_read, small_read, marker;
  CL_OK(clEnqueueReadBuffer(timed, buffer, CL_FALSE, 0, kLarge, large.data(), 0, nullptr, large_read.out()));
  CL_OK(clEnqueueReadBuffer(timed, buffer, CL_FALSE, 0, 64, small.data(), 0, nullptr, small_read.out()));
  CL_OK(clEnqueueMarkerWithWaitList(timed, 0, nullptr, marker.out()));
  CL_OK(clFinish(timed));
  const cl_ulong after = host_time();
  const cl_event all[] = {first, second, large_read, small_read, marker};
  cl_ulong reached = before;
  for (const cl_event event : all) {
    const Times times = times_of(event);
    EXPECT_GE(times.queued, before);
    EXPECT_GE(times.started + kError, reached);
    EXPECT_LE(times.ended, after);
    reached = times.ended;
  }
  EXPECT_GT(times_of(second).ended - times_of(second).started, 5 * kMillisecond);
  EXPECT_GT(times_of(second).started, times_of(second).submitted + 5 * kMillisecond);
  EXPECT_GT(times_of(large_read).started, times_of(large_read).queued + 10 * kMillisecond);
}

// The same for commands that wait for a command of another queue.
TEST_F(Profiling, CommandsStartBehindTheirWaitLists) {
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                    other = make_queue(CL_QUEUE_PROFILING_ENABLE);
  const test::Event spin = spin_for(other, 100);
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(timed, 1, spin.list(), marker.out()));
  CL_OK(clWaitForEvents(1, marker.list()));
  EXPECT_GE(times_of(marker).started + kError, times_of(spin).ended);
  EXPECT_GT(times_of(spin).ended - times_of(spin).started, 5 * kMillisecond);
}

// Commands of an in-order queue do not overlap by even a nanosecond, in whatever order the events are queried.
TEST_F(Profiling, CommandsInOrderDoNotOverlap) {
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  std::vector<test::Event> events;
  // The device must be busy until all commands are enqueued, which takes long if other processes use the machine.
  for (unsigned milliseconds = 300; events.empty(); milliseconds *= 4) {
    ASSERT_LT(milliseconds, 20'000u);
    events.push_back(spin_for(timed, milliseconds));
    while (events.size() < 60) {
      test::Event marker;
      if (events.size() % 3) {
        events.push_back(spin_for(timed, 0));
      } else {
        CL_OK(clEnqueueMarkerWithWaitList(timed, 0, nullptr, marker.out()));
        events.push_back(std::move(marker));
      }
    }
    const bool all_behind = test::status_of(events.front()) > CL_COMPLETE;
    CL_OK(clFinish(timed));
    if (!all_behind) events.clear();
  }
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::shuffle(order, test::random_engine());
  std::vector<Times> times(events.size());
  for (const size_t i : order) times[i] = times_of(events[i]);
  for (size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i].started, times[i - 1].ended) << i;
}

// The times of a command do not depend on when its event is queried.
TEST_F(Profiling, LateQuestions) {
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  const test::Event first = spin_for(timed, 5);
  const cl_ulong before = host_time();
  CL_OK(clFlush(timed));
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  const test::Event second = spin_for(timed, 5);
  CL_OK(clFinish(timed));
  EXPECT_LT(times_of(first).started, before + 500 * kMillisecond);
  EXPECT_LT(times_of(first).ended, before + 900 * kMillisecond);
  EXPECT_GT(times_of(second).started, before + 1000 * kMillisecond);
}

// Creating the first profiling queue and enqueuing its first command do not wait for a running kernel.
TEST_F(Profiling, TimingWaitsForNothing) {
  const test::Event running = spin_for(queue, 200);
  const test::Queue timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(timed, 0, nullptr, marker.out()));
  EXPECT_GT(test::status_of(running), CL_COMPLETE);
  CL_OK(clWaitForEvents(1, marker.list()));
  EXPECT_GT(test::status_of(running), CL_COMPLETE);
  times_of(marker);
  CL_OK(clFinish(queue));
}

}  // namespace
