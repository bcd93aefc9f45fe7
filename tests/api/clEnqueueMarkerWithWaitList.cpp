// SPDX-License-Identifier: Apache-2.0
// Markers and barriers, including the deprecated functions; clFinish.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/wait_list.h"

namespace {

class MarkerAndBarrier : public test::WaitListTest {};

TEST_F(MarkerAndBarrier, WaitLists) {
  check_wait_list(CL_COMMAND_MARKER, clEnqueueMarkerWithWaitList);
  check_wait_list(CL_COMMAND_BARRIER, clEnqueueBarrierWithWaitList);
}

TEST_F(MarkerAndBarrier, WithoutListTheyWaitForAllBefore) {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Queue tested = make_queue(properties);
    for (const bool barrier : {false, true}) {
      const test::Event gate = make_user_event();
      test::Event held, waiting;
      CL_OK(clEnqueueMarkerWithWaitList(tested, 1, gate.list(), held.out()));
      CL_OK((barrier ? clEnqueueBarrierWithWaitList : clEnqueueMarkerWithWaitList)(tested, 0, nullptr,
                                                                                   waiting.out()));
      EXPECT_GT(test::status_of(waiting), CL_COMPLETE);
      CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
      CL_OK(clWaitForEvents(1, waiting.list()));
      EXPECT_EQ(test::status_of(held), CL_COMPLETE);
    }
  }
}

// In an out-of-order queue, later commands wait for a barrier, not for a marker.
TEST_F(MarkerAndBarrier, OutOfOrder) {
  const test::Queue tested = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Buffer buffer = make_buffer(64);
  const auto fill = [&](cl_event* event) {
    const cl_uint value = 1;
    return clEnqueueFillBuffer(tested, buffer, &value, sizeof value, 0, 64, 0, nullptr, event);
  };
  const test::Event gate = make_user_event();
  test::Event marker, free, barrier, held;
  CL_OK(clEnqueueMarkerWithWaitList(tested, 1, gate.list(), marker.out()));
  CL_OK(fill(free.out()));
  CL_OK(clWaitForEvents(1, free.list()));
  EXPECT_GT(test::status_of(marker), CL_COMPLETE);
  CL_OK(clEnqueueBarrierWithWaitList(tested, 1, marker.list(), barrier.out()));
  CL_OK(fill(held.out()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GT(test::status_of(held), CL_COMPLETE);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, held.list()));
  EXPECT_EQ(test::status_of(barrier), CL_COMPLETE);
}

TEST_F(MarkerAndBarrier, DeprecatedForms) {
  test::Event marker;
  CL_OK(clEnqueueMarker(queue, marker.out()));
  CL_OK(clEnqueueBarrier(queue));
  CL_OK(clEnqueueWaitForEvents(queue, 1, marker.list()));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueMarker(queue, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(nullptr, marker.out()));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 1, nullptr));
  const cl_event bad = nullptr;
  CL_EXPECT(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, &bad));
}

TEST_F(MarkerAndBarrier, FinishWaitsForWhatIsHeld) {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Queue tested = make_queue(properties);
    const test::Event gate = make_user_event();
    test::Event held;
    CL_OK(clEnqueueMarkerWithWaitList(tested, 1, gate.list(), held.out()));
    std::atomic<bool> set = false;
    std::thread setter([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      set = true;
      clSetUserEventStatus(gate, CL_COMPLETE);
    });
    CL_EXPECT(CL_SUCCESS, clFinish(tested));
    EXPECT_TRUE(set);
    EXPECT_EQ(test::status_of(held), CL_COMPLETE);
    setter.join();
  }
}

}  // namespace
