// SPDX-License-Identifier: Apache-2.0
// Events: user events, callbacks, waiting, information, profiling.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/opencl.h"

namespace {

// Records the statuses that are passed to callbacks.
class Told {
 public:
  static void CL_CALLBACK note(cl_event, cl_int status, void* self) { static_cast<Told*>(self)->add(status); }
  void add(cl_int status) {
    std::lock_guard lock(mutex_);
    seen_.push_back(status);
    changed_.notify_all();
  }
  std::vector<cl_int> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return seen_.size() >= count; });
    return seen_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<cl_int> seen_;
};

class Events : public test::OpenCL {};

TEST_F(Events, UserEvent) {
  const test::Event user = make_user_event();
  EXPECT_EQ(test::status_of(user), CL_SUBMITTED);
  cl_command_type type = 0;
  cl_command_queue in = queue;
  cl_uint references = 0;
  CL_OK(clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
  CL_OK(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof in, &in, nullptr));
  CL_OK(clGetEventInfo(user, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  EXPECT_EQ(type, static_cast<cl_command_type>(CL_COMMAND_USER));
  EXPECT_EQ(in, nullptr);
  EXPECT_EQ(references, 1u);
  CL_EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_SUBMITTED));
  CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_EQ(test::status_of(user), CL_COMPLETE);
  CL_EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
  CL_EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(nullptr, CL_COMPLETE));
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marker.out()));
  CL_EXPECT(CL_INVALID_EVENT, clSetUserEventStatus(marker, CL_COMPLETE));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateUserEvent(nullptr, &error), nullptr);
  CL_EXPECT(CL_INVALID_CONTEXT, error);
}

// Section 5.11.1: a user event is submitted from the beginning, as its status says.
TEST_F(Events, UserEventIsSubmitted) {
  const test::Event user = make_user_event();
  Told told;
  CL_OK(clSetEventCallback(user, CL_SUBMITTED, Told::note, &told));
  EXPECT_EQ(std::vector<cl_int>{CL_SUBMITTED}, told.wait_for(1));
  CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
}

TEST_F(Events, InfoErrors) {
  const test::Event user = make_user_event();
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_EVENT, clGetEventInfo(nullptr, CL_EVENT_CONTEXT, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetEventInfo(user, 0x1, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetEventInfo(user, CL_EVENT_CONTEXT, 1, &value, nullptr));
  CL_EXPECT(CL_INVALID_EVENT, clRetainEvent(nullptr));
  CL_EXPECT(CL_INVALID_EVENT, clReleaseEvent(nullptr));
}

TEST_F(Events, WaitForEvents) {
  const test::Event user = make_user_event();
  CL_EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clWaitForEvents(1, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clWaitForEvents(0, user.list()));
  const cl_event bad[] = {user, nullptr};
  CL_EXPECT(CL_INVALID_EVENT, clWaitForEvents(2, bad));
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Event foreign = clCreateUserEvent(other, nullptr);
  const cl_event mixed[] = {user, foreign};
  CL_EXPECT(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    clSetUserEventStatus(user, CL_COMPLETE);
  });
  CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, user.list()));
  setter.join();
}

TEST_F(Events, CallbackErrors) {
  const test::Event user = make_user_event();
  CL_EXPECT(CL_INVALID_EVENT, clSetEventCallback(nullptr, CL_COMPLETE, Told::note, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetEventCallback(user, CL_QUEUED, Told::note, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetEventCallback(user, 17, Told::note, nullptr));
}

TEST_F(Events, CallbacksOfACommand) {
  const test::Event gate = make_user_event();
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), marker.out()));
  Told told;
  for (const cl_int at : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    CL_OK(clSetEventCallback(marker, at, Told::note, &told));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(told.wait_for(0).empty());
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(told.wait_for(3), (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
  // A callback that is registered after the command is complete is called too.
  CL_OK(clSetEventCallback(marker, CL_COMPLETE, Told::note, &told));
  EXPECT_EQ(told.wait_for(4).size(), 4u);
}

TEST_F(Events, CallbacksAreToldOfFailure) {
  const test::Event gate = make_user_event();
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), marker.out()));
  Told of_marker, of_gate;
  CL_OK(clSetEventCallback(marker, CL_COMPLETE, Told::note, &of_marker));
  CL_OK(clSetEventCallback(gate, CL_COMPLETE, Told::note, &of_gate));
  CL_OK(clSetUserEventStatus(gate, -3));
  EXPECT_EQ(of_gate.wait_for(1), (std::vector<cl_int>{-3}));
  EXPECT_EQ(of_marker.wait_for(1), (std::vector<cl_int>{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST}));
}

// A callback may call OpenCL: each one enqueues the next command with a callback, a hundred times.
struct Chain {
  cl_command_queue queue;
  cl_mem buffer;
  std::atomic<int> left = 100;
  Told done;
  static void CL_CALLBACK next(cl_event, cl_int status, void* self) {
    auto& chain = *static_cast<Chain*>(self);
    if (status != CL_COMPLETE || --chain.left == 0) return chain.done.add(status);
    const cl_uint value = static_cast<cl_uint>(chain.left.load());
    test::Event event;
    if (clEnqueueFillBuffer(chain.queue, chain.buffer, &value, sizeof value, 0, sizeof value, 0, nullptr,
                            event.out()) != CL_SUCCESS ||
        clSetEventCallback(event, CL_COMPLETE, next, self) != CL_SUCCESS)
      chain.done.add(-1);
  }
};

TEST_F(Events, CallbacksMayEnqueue) {
  const test::Buffer buffer = make_buffer(4);
  Chain chain{queue, buffer};
  test::Event first;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, first.out()));
  CL_OK(clSetEventCallback(first, CL_COMPLETE, Chain::next, &chain));
  EXPECT_EQ(chain.done.wait_for(1), (std::vector<cl_int>{CL_COMPLETE}));
  EXPECT_EQ(contents<cl_uint>(buffer, 1).front(), 1u);
}

// The callback is called after the application has released all its handles, with an event that can be queried.
TEST_F(Events, CallbackOutlivesTheHandles) {
  struct Answer {
    Told told;
    static void CL_CALLBACK ask(cl_event event, cl_int, void* self) {
      static_cast<Answer*>(self)->told.add(test::status_of(event));
    }
  } answer;
  test::Event gate = make_user_event();
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, gate.list(), marker.out()));
  CL_OK(clSetEventCallback(marker, CL_COMPLETE, Answer::ask, &answer));
  marker.reset();
  queue.reset();
  context.reset();
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  gate.reset();
  EXPECT_EQ(answer.told.wait_for(1), (std::vector<cl_int>{CL_COMPLETE}));
}

TEST_F(Events, ProfilingErrors) {
  cl_ulong value = 0;
  test::Event marker;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marker.out()));
  CL_OK(clFinish(queue));
  CL_EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_START, sizeof value, &value, nullptr));
  const test::Event gate = make_user_event();
  CL_EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_START, sizeof value, &value, nullptr));
  const test::Queue profiled = make_queue(CL_QUEUE_PROFILING_ENABLE);
  CL_OK(clEnqueueMarkerWithWaitList(profiled, 1, gate.list(), marker.out()));
  CL_EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_START, sizeof value, &value, nullptr));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(profiled));
  CL_EXPECT(CL_SUCCESS,
            clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_COMPLETE, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(marker, 0x1, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, 1, &value, nullptr));
  CL_EXPECT(CL_INVALID_EVENT,
            clGetEventProfilingInfo(nullptr, CL_PROFILING_COMMAND_END, sizeof value, &value, nullptr));
}

}  // namespace
