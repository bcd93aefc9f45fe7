// SPDX-License-Identifier: Apache-2.0
// A stream takes memory of the device, which the driver keeps, so none is made while another has no work, and only a limited number for
// the callbacks of events. This program's driver counts the streams that are made, and says which of them have work.
#include <CL/cl_clcuda.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "support/opencl.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kIsSetUp = setenv("CLCUDA_DEVICES", "cpu", 1) == 0;

std::mutex mutex;
std::vector<CUstream> made;
std::set<CUstream> busy;
decltype(DriverTable::cuStreamCreateWithPriority) make_stream;
decltype(DriverTable::cuStreamQuery) query_stream;
decltype(DriverTable::cuCtxSetCurrent) set_current;
decltype(DriverTable::cuLaunchHostFunc) call_on_host;

CUresult make_counted(CUstream* stream, unsigned flags, int priority) {
  const CUresult result = make_stream(stream, flags, priority);
  const std::lock_guard lock(mutex);
  if (result == CUDA_SUCCESS) made.push_back(*stream);
  return result;
}

CUresult query(CUstream stream) {
  {
    const std::lock_guard lock(mutex);
    if (busy.contains(stream)) return CUDA_ERROR_NOT_READY;
  }
  return query_stream(stream);
}

// Queues of a context that have done something.
std::vector<test::Queue> use_queues(cl_context context, cl_device_id device, std::size_t count) {
  std::vector<test::Queue> queues;
  const test::Buffer buffer = clCreateBuffer(context, 0, 4, nullptr, nullptr);
  const cl_uint value = 7;
  for (std::size_t i = 0; i < count; ++i) {
    queues.emplace_back(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues.back(), buffer, &value, sizeof value, 0, sizeof value, 0,
                                              nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queues.back()));
  }
  return queues;
}

CUstream stream_of(cl_command_queue queue) {
  CUstream stream = nullptr;
  CL_EXPECT(CL_SUCCESS,
            clGetCommandQueueInfo(queue, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof stream, &stream, nullptr));
  return stream;
}

std::size_t count() {
  const std::lock_guard lock(mutex);
  return made.size();
}

// The streams of so many queues, which no longer exist.
std::vector<CUstream> streams_given_back(cl_device_id device, std::size_t queues) {
  std::vector<CUstream> streams;
  std::promise<void> gone;
  {
    const test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    CL_EXPECT(
        CL_SUCCESS,
        clSetContextDestructorCallback(
            context, [](cl_context, void* user) { static_cast<std::promise<void>*>(user)->set_value(); },
            &gone));
    for (const test::Queue& each : use_queues(context, device, queues)) streams.push_back(stream_of(each));
  }
  EXPECT_EQ(std::future_status::ready, gone.get_future().wait_for(std::chrono::seconds(60)));
  return streams;
}

class StreamUse : public test::OpenCL {};

TEST_F(StreamUse, NoneIsMadeWhileOneIsIdle) {
  ASSERT_TRUE(kIsSetUp);
  constexpr std::size_t kQueues = 16, kIdle = 3;
  const std::vector<CUstream> streams = streams_given_back(device, kQueues);
  ASSERT_EQ(std::set(streams.begin(), streams.end()).size(), kQueues);
  const std::size_t before = count();
  {
    const std::lock_guard lock(mutex);
    busy.insert(streams.begin(), streams.end() - kIdle);
  }
  const std::vector<test::Queue> some = use_queues(context, device, kIdle);
  EXPECT_EQ(count(), before);
  const std::vector<test::Queue> more = use_queues(context, device, 1);
  EXPECT_EQ(count(), before + 1);
  const std::lock_guard lock(mutex);
  busy.clear();
}

// Commands that are watched in the opposite of their order, all of them before the first is complete.
TEST_F(StreamUse, IsLimitedForCallbacks) {
  constexpr int kCommands = 300;
  constexpr std::size_t kMost = 32;
  std::promise<void> gate;
  std::atomic<int> called = 0;
  CUcontext primary = nullptr;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof primary, &primary, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, set_current(primary));
  ASSERT_EQ(CUDA_SUCCESS,
            call_on_host(
                stream_of(queue),
                [](void* user) { static_cast<std::promise<void>*>(user)->get_future().wait(); }, &gate));
  // Without work of its own, the queue would have nothing that the markers could wait for.
  const test::Buffer buffer = make_buffer(4);
  CL_OK(clEnqueueFillBuffer(queue, buffer, "abcd", 4, 0, 4, 0, nullptr, nullptr));
  std::vector<test::Event> events(kCommands);
  for (test::Event& event : events) CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, event.out()));
  const std::size_t before = count();
  for (int i = kCommands; i-- > 0;)
    CL_OK(clSetEventCallback(
        events[i], CL_COMPLETE, [](cl_event, cl_int, void* user) { ++*static_cast<std::atomic<int>*>(user); },
        &called));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(called, 0);
  gate.set_value();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (called < kCommands && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(called, kCommands);
  EXPECT_LE(count(), before + kMost);
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& own) {
    make_stream = own.cuStreamCreateWithPriority;
    query_stream = own.cuStreamQuery;
    set_current = own.cuCtxSetCurrent;
    call_on_host = own.cuLaunchHostFunc;
    own.cuStreamCreateWithPriority = make_counted;
    own.cuStreamQuery = query;
  });
}
