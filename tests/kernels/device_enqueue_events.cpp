// SPDX-License-Identifier: Apache-2.0
// Events of device-side enqueue (OpenCL C 6.15.18.5): wait lists, markers, user events, profiling.
#include <algorithm>
#include <cstring>

#include "device_enqueue_test.h"

namespace {

using DeviceEnqueueEvents = DeviceEnqueue;

const std::string kQ = "get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ";

TEST_F(DeviceEnqueueEvents, WaitListsOrderBlocks) {
  // A chain in which each block checks the result of the previous one, in many work-items at the same time.
  const auto out =
      run("kernel void parent(global int* out) { global int* mine = out + get_global_id(0);"
          "  clk_event_t last, next; *mine = 1;"
          "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 0, NULL, &last, ^{ *mine = *mine * 3 + 1; });"
              "  for (int i = 0; i < 5; ++i) {"
              "    enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 1, &last, &next, ^{ *mine = *mine * 3 + i; });"
              "    release_event(last); last = next; }"
              "  release_event(last); }",
          50, 50);
  cl_int expected = 4;
  for (cl_int i = 0; i < 5; ++i) expected = expected * 3 + i;
  EXPECT_EQ(std::ranges::count(out, expected), 50);
}

TEST_F(DeviceEnqueueEvents, AnEventIsCompleteWithAllDescendants) {
  const auto out =
      run("void tree(global int* out, int depth) { atomic_inc(out);"
          "  if (depth) enqueue_kernel(get_default_queue(), depth % 2, ndrange_1D(2), ^{ tree(out, depth - "
          "1); }); }"
          "kernel void parent(global int* out) { clk_event_t e;"
          "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 0, NULL, &e, ^{ tree(out, 5); });"
              "  enqueue_kernel(" +
              kQ + "ndrange_1D(1), 1, &e, NULL, ^{ out[1] = out[0]; }); release_event(e); }",
          1, 2);
  EXPECT_EQ(out, (std::vector<cl_int>{63, 63}));
}

TEST_F(DeviceEnqueueEvents, LongWaitLists) {
  const auto out =
      run("kernel void parent(global int* out) { clk_event_t all[300], marker;"
          "  for (int i = 0; i < 300; ++i)"
          "    if (enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 0, NULL, &all[i], ^{ atomic_inc(out); })) out[2] = i;"
              "  if (enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 300, all, NULL, ^{ out[1] = out[0]; })) out[2] = 301;"
              "  if (enqueue_marker(get_default_queue(), 299, all + 1, &marker)) out[2] = 302;"
              "  if (enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 1, &marker, NULL, ^{ out[3] = out[0]; })) out[2] = 303;"
              "  for (int i = 0; i < 300; ++i) release_event(all[i]);"
              "  release_event(marker); }",
          1, 4);
  EXPECT_EQ(out, (std::vector<cl_int>{300, 300, 0, 300}));
}

TEST_F(DeviceEnqueueEvents, UserEventsHoldWhatWaitsForThem) {
  // The user event is set by a kernel of a later round.
  const auto out =
      run("kernel void parent(global int* out) { clk_event_t user = create_user_event(), held;"
          "  out[3] = is_valid_event(user);"
          "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 1, &user, &held, ^{ out[0] = out[1] + 1; });"
              "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 1, &held, NULL, ^{ out[2] = out[0] + 1; });"
              "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{"
              "    out[1] = 10;"
              "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{"
              "      out[1] += 5; set_user_event_status(user, CL_COMPLETE); release_event(user); }); });"
              "  retain_event(held); release_event(held); release_event(held); }",
          1, 4);
  EXPECT_EQ(out, (std::vector<cl_int>{16, 15, 17, 1}));
}

TEST_F(DeviceEnqueueEvents, AFailedUserEventFailsWhatWaitsForIt) {
  const test::Program program = build(
      "kernel void parent(global int* out) { clk_event_t user = create_user_event(), e, m;"
      "  enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 1, &user, &e, ^{ out[0] = 1; });"
      "  enqueue_marker(get_default_queue(), 1, &e, &m);"
      "  enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 1, &m, NULL, ^{ out[1] = 1; });"
      "  enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), ^{ out[2] = 1; });"
      "  set_user_event_status(user, -5); release_event(user); release_event(e); release_event(m); }");
  EXPECT_EQ(run(program, "parent", 1, 3), (std::vector<cl_int>{0, 0, 1}));
}

// Section 5.11: commands with the failed one in their wait lists are not executed, in any queue.
TEST_F(DeviceEnqueueEvents, AFailedKernelFailsWhatWaitsForTheCommand) {
  const test::Program program = build(
      "kernel void parent(global int* out) { clk_event_t user = create_user_event();"
      "  enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 1, &user, NULL, ^{ out[0] = 1; });"
      "  set_user_event_status(user, -5); release_event(user); }"
      "kernel void next(global int* out) { out[1] = 1; }");
  const test::Queue other = make_queue(0), loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (cl_command_queue later : {queue.get(), other.get(), loose.get()}) {
    const test::Buffer out = make_buffer(std::vector<cl_int>(2));
    const test::Kernel parent = make_kernel(program, "parent"), next = make_kernel(program, "next");
    set_arguments(parent, out);
    set_arguments(next, out);
    const std::size_t one = 1;
    test::Event failed, kernel, read;
    std::vector<cl_int> untouched{-1, -1};
    CL_OK(clEnqueueNDRangeKernel(queue, parent, 1, nullptr, &one, nullptr, 0, nullptr, failed.out()));
    CL_OK(clEnqueueNDRangeKernel(later, next, 1, nullptr, &one, nullptr, 1, failed.list(), kernel.out()));
    CL_OK(clEnqueueReadBuffer(later, out, CL_FALSE, 0, 8, untouched.data(), 1, failed.list(), read.out()));
    CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, kernel.list()));
    CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, read.list()));
    CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, test::status_of(kernel));
    EXPECT_EQ(untouched, (std::vector<cl_int>{-1, -1}));
    EXPECT_EQ(contents<cl_int>(out, 2)[1], 0);
  }
}

// The command's status is that of the failed kernel, also of one without work-items, at any depth; a failed marker alone is not a failed
// kernel.
TEST_F(DeviceEnqueueEvents, AFailedKernelFailsTheCommand) {
  const test::Program program = build(
      "enum { marker = -1 };"
      "void fail(global int* out, int status, int items) { clk_event_t user = create_user_event(), m;"
      "  if (items != marker) enqueue_kernel(" +
      kQ +
      "ndrange_1D(items), 1, &user, NULL, ^{ out[0] = 1; });"
      "  else { enqueue_marker(get_default_queue(), 1, &user, &m); release_event(m); }"
      "  set_user_event_status(user, status); release_event(user); }"
      "kernel void parent(global int* out, int depth, int status, int items) { clk_event_t e;"
      "  if (depth == 0) fail(out, status, items);"
      "  if (depth == 1) { enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 0, NULL, &e, ^{ fail(out, status, items); }); release_event(e); }"
      "  if (depth == 2) enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), ^{ enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),"
      "    ^{ fail(out, status, items); }); }); }");
  const test::Buffer out = make_buffer(std::vector<cl_int>(1));
  const test::Kernel kernel = make_kernel(program, "parent");
  const std::size_t one = 1;
  const auto status_of = [&](cl_int depth, cl_int status, cl_int items) {
    test::Event event;
    set_arguments(kernel, out, depth, status, items);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
    const cl_int waited = clWaitForEvents(1, event.list());
    cl_int told = 1;
    CL_EXPECT(CL_SUCCESS,
              clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof told, &told, nullptr));
    CL_EXPECT(told < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS, waited);
    return told;
  };
  for (const cl_int depth : {0, 1, 2}) {
    SCOPED_TRACE(depth);
    for (const cl_int items : {1, 0}) {
      EXPECT_LT(status_of(depth, -5, items), 0) << items;
      EXPECT_EQ(CL_COMPLETE, status_of(depth, CL_COMPLETE, items)) << items;
    }
    EXPECT_EQ(CL_COMPLETE, status_of(depth, -5, -1));
  }
}

// A user event that is never set must not block the command, or the next one, for ever.
TEST_F(DeviceEnqueueEvents, AnEventThatNobodySetsEndsTheLaunch) {
  const test::Program program = build(
      "kernel void parent(global int* out, int set) { clk_event_t user = create_user_event();"
      "  enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 1, &user, NULL, ^{ out[0] = 1; });"
      "  if (set) set_user_event_status(user, CL_COMPLETE); }");
  EXPECT_EQ(run(program, "parent", 1, 1, cl_int{0}), std::vector<cl_int>{0});
  EXPECT_EQ(run(program, "parent", 1, 1, cl_int{1}), std::vector<cl_int>{1});
}

TEST_F(DeviceEnqueueEvents, Profiling) {
  const auto out =
      run("kernel void parent(global int* out) { global ulong* times = (global ulong*)out; clk_event_t e;"
          "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(64), 0, NULL, &e, ^{ uint x = 1;"
              "    for (int i = 0; i < 10000; ++i) x = x * 5 + out[8];"
              "    out[9] = x;"
              "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ "
              "out[10] = 1; }); });"
              "  capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);"
              "  enqueue_kernel(" +
              kQ +
              "ndrange_1D(1), 1, &e, NULL, ^{"
              "    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);"
              "    release_event(e); }); }",
          1, 11);
  cl_ulong times[4];
  std::memcpy(times, out.data(), sizeof times);
  EXPECT_GT(times[0], 0u);
  EXPECT_GT(times[1], times[0]);
  EXPECT_LT(times[1], 10'000'000'000u);
  EXPECT_EQ(times[0], times[2]);
  EXPECT_EQ(times[1], times[3]);
  EXPECT_EQ(out[10], 1);
}

// Task slots are reused: many more tasks than the device has room for at a time.
TEST_F(DeviceEnqueueEvents, TasksComeAndGo) {
  const test::Program program = build(
      "void step(global int* out, int left) { clk_event_t e;"
      "  for (int i = 0; i < 100; ++i) {"
      "    if (enqueue_kernel(" +
      kQ +
      "ndrange_1D(1), 0, NULL, &e, ^{ atomic_inc(out); })) out[1] = left;"
      "    release_event(e); }"
      "  if (left && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ "
      "step(out, left - 1); }))"
      "    out[1] = left; }"
      "kernel void parent(global int* out, int left) { step(out, left); }");
  EXPECT_EQ(run(program, "parent", 1, 2, cl_int{399}), (std::vector<cl_int>{40000, 0}));
}

}  // namespace
