// SPDX-License-Identifier: Apache-2.0
#include "wait_list.h"

namespace test {

void WaitListTest::check_wait_list(cl_command_type type, const Enqueue& enqueue) {
  for (const cl_command_queue_properties properties :
       {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE}) {
    SCOPED_TRACE("queue properties " + std::to_string(properties));
    const Queue tested = make_queue(properties);
    refuses_bad_lists(tested, enqueue);
    refuses_bad_queues(enqueue);
    describes_its_command(tested, type, enqueue);
    waits_for_user_event(tested, enqueue);
    fails_with_what_it_waits_for(tested, enqueue);
    if (properties & CL_QUEUE_PROFILING_ENABLE) is_timed(tested, enqueue);
    CL_EXPECT(CL_SUCCESS, clFinish(tested));
  }
}

void WaitListTest::refuses_bad_lists(cl_command_queue tested, const Enqueue& enqueue) {
  const Event user = make_user_event();
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, enqueue(tested, 1, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, enqueue(tested, 0, user.list(), nullptr));
  const cl_event nothing = nullptr;
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, enqueue(tested, 1, &nothing, nullptr));
  const cl_event odd[] = {user, reinterpret_cast<cl_event>(tested)};
  CL_EXPECT(CL_INVALID_EVENT_WAIT_LIST, enqueue(tested, 2, odd, nullptr));
  cl_int error = CL_SUCCESS;
  const Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  const Event foreign = clCreateUserEvent(other, &error);
  CL_EXPECT(CL_INVALID_CONTEXT, enqueue(tested, 1, foreign.list(), nullptr));
  clSetUserEventStatus(user, CL_COMPLETE);
}

void WaitListTest::refuses_bad_queues(const Enqueue& enqueue) {
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, enqueue(nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
            enqueue(reinterpret_cast<cl_command_queue>(context.get()), 0, nullptr, nullptr));
}

void WaitListTest::describes_its_command(cl_command_queue tested, cl_command_type type,
                                         const Enqueue& enqueue) {
  Event event;
  CL_OK(enqueue(tested, 0, nullptr, event.out()));
  cl_command_type seen_type = 0;
  cl_command_queue seen_queue = nullptr;
  cl_context seen_context = nullptr;
  CL_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof seen_type, &seen_type, nullptr));
  CL_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof seen_queue, &seen_queue, nullptr));
  CL_OK(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof seen_context, &seen_context, nullptr));
  EXPECT_EQ(seen_type, type);
  EXPECT_EQ(seen_queue, tested);
  EXPECT_EQ(seen_context, context.get());
  CL_OK(clWaitForEvents(1, event.list()));
  EXPECT_EQ(status_of(event), CL_COMPLETE);
}

void WaitListTest::waits_for_user_event(cl_command_queue tested, const Enqueue& enqueue) {
  const Event gate = make_user_event();
  Event first, second;
  CL_OK(enqueue(tested, 1, gate.list(), first.out()));
  CL_OK(clEnqueueMarkerWithWaitList(tested, 1, first.list(), second.out()));
  EXPECT_GT(status_of(first), CL_COMPLETE);
  EXPECT_GT(status_of(second), CL_COMPLETE);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, second.list()));
  EXPECT_EQ(status_of(first), CL_COMPLETE);
  EXPECT_EQ(status_of(second), CL_COMPLETE);
}

void WaitListTest::fails_with_what_it_waits_for(cl_command_queue tested, const Enqueue& enqueue) {
  const Event gate = make_user_event();
  Event first, second;
  CL_OK(enqueue(tested, 1, gate.list(), first.out()));
  CL_OK(clEnqueueMarkerWithWaitList(tested, 1, first.list(), second.out()));
  CL_OK(clSetUserEventStatus(gate, -77));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, second.list()));
  EXPECT_LT(status_of(first), 0);
  EXPECT_LT(status_of(second), 0);
  EXPECT_EQ(status_of(gate), -77);
  // The queue still executes commands.
  Event third;
  CL_OK(enqueue(tested, 0, nullptr, third.out()));
  CL_OK(clWaitForEvents(1, third.list()));
}

void WaitListTest::is_timed(cl_command_queue tested, const Enqueue& enqueue) {
  Event event;
  CL_OK(enqueue(tested, 0, nullptr, event.out()));
  CL_OK(clWaitForEvents(1, event.list()));
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
  CL_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, nullptr));
  CL_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, sizeof submitted, &submitted, nullptr));
  CL_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof started, &started, nullptr));
  CL_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr));
  EXPECT_GT(queued, 0u);
  EXPECT_LE(queued, submitted);
  EXPECT_LE(submitted, started);
  EXPECT_LE(started, ended);
}

}  // namespace test
