// SPDX-License-Identifier: Apache-2.0
// A kernel that stores to an unmapped address. CUDA then loses the device for the whole process, so each case has its own process.
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/opencl.h"
#include "support/own_process.h"
#include "support/sanitized.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kSoon = milliseconds(test::kSanitized ? 20'000 : 1000);

class DeviceFault : public test::OpenCL {
 protected:
  void SetUp() override {
    ASSERT_FALSE(test::devices().empty());
    device = test::devices().front();
    cl_int error = CL_SUCCESS;
    const auto tell = [](const char* reason, const void*, size_t, void*) {
      const std::lock_guard lock(told_.mutex);
      told_.text += std::string(reason) + '\n';
    };
    context = clCreateContext(nullptr, 1, &device, tell, nullptr, &error);
    CL_OK(error);
    queue = make_queue(0);
    program = build(
        "kernel void innocent(global uint* a) { a[get_global_id(0)] += 1; }\n"
        "kernel void culprit(ulong where) { *(global uint*)where = 1; }\n");
    innocent = make_kernel(program, "innocent");
    culprit = make_kernel(program, "culprit");
    buffer = make_buffer(std::vector<cl_uint>(1024, 5));
    set_arguments(innocent, buffer);
    set_arguments(culprit, cl_ulong{64});
    // A kernel that has ended before the fault must not be named as a possible cause.
    launch(innocent);
    CL_OK(clFinish(queue));
  }
  // The queue is not finished, because that fails on a lost device.
  void TearDown() override {
    for (cl_event event : seen_) CL_EXPECT(CL_SUCCESS, clReleaseEvent(event));
  }
  // Returns an event that TearDown releases. The call must succeed even if the kernel faults in the meantime.
  cl_event launch(cl_kernel kernel, cl_command_queue where = nullptr, cl_event wait = nullptr) {
    cl_event event = nullptr;
    const std::size_t size = 1;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where ? where : queue.get(), kernel, 1, nullptr, &size,
                                                 nullptr, wait ? 1 : 0, wait ? &wait : nullptr, &event));
    if (event) seen_.push_back(event);
    return event;
  }
  static std::string told() {
    const std::lock_guard lock(told_.mutex);
    return told_.text;
  }
  template <class Condition>
  static bool soon(Condition holds) {
    for (const auto end = Clock::now() + kSoon; Clock::now() < end;
         std::this_thread::sleep_for(milliseconds(5)))
      if (holds()) return true;
    return holds();
  }

  test::Program program;
  test::Kernel innocent, culprit;
  test::Buffer buffer;

 private:
  // Never destroyed: the callback may be called during the release of the last reference to the context.
  struct Told {
    std::mutex mutex;
    std::string text;
  };
  static inline Told& told_ = *new Told;
  std::vector<cl_event> seen_;
};

TEST_ALONE(DeviceFault, FinishFailsAndLaterCallsToo) {
  const auto available = [&] {
    cl_bool answer = 2;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof answer, &answer, nullptr));
    return answer;
  };
  EXPECT_EQ(available(), cl_bool{CL_TRUE});
  const cl_event event = launch(culprit);
  const auto begin = Clock::now();
  EXPECT_LT(clFinish(queue), 0);
  EXPECT_EQ(available(), cl_bool{CL_FALSE});
  EXPECT_LT(Clock::now() - begin, kSoon);
  EXPECT_LT(test::status_of(event), 0);
  EXPECT_LT(clFinish(queue), 0);
  EXPECT_LT(clFlush(queue), 0);
  const std::size_t size = 1;
  EXPECT_LT(clEnqueueNDRangeKernel(queue, innocent, 1, nullptr, &size, nullptr, 0, nullptr, nullptr), 0);
  cl_uint value = 0;
  EXPECT_LT(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), 0);
  EXPECT_LT(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), 0);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, nullptr, &error), nullptr);
  EXPECT_LT(error, 0);
  EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
            nullptr);
  EXPECT_LT(error, 0);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &value, &error), nullptr);
  EXPECT_LT(error, 0);
  EXPECT_LT(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), 0);
  EXPECT_LT(Clock::now() - begin, 3 * kSoon);
}

// Section 4.4: no context can be created with an unavailable device; clCreateContextFromType uses the available ones. After a fault,
// NVIDIA's driver creates no context for any device in the process, so that the others have theirs before it.
TEST_ALONE(DeviceFault, NoContextIsMadeForTheDeviceAnyMore) {
  std::vector<test::Context> before;
  for (cl_device_id each : test::devices())
    before.emplace_back(clCreateContext(nullptr, 1, &each, nullptr, nullptr, nullptr));
  launch(culprit);
  EXPECT_LT(clFinish(queue), 0);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), nullptr);
  CL_EXPECT(CL_DEVICE_NOT_AVAILABLE, error);
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                        reinterpret_cast<cl_context_properties>(platform), 0};
  const test::Context others = clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &error);
  CL_EXPECT(test::devices().size() > 1 ? CL_SUCCESS : CL_DEVICE_NOT_AVAILABLE, error);
}

// The log contains the driver's error, the name of its function and the kernels; so do the errors of later calls.
class DeviceFaultLog : public DeviceFault {
 protected:
  void SetUp() override {
    setenv("CLCUDA_LOG", "info", 1);
    DeviceFault::SetUp();
  }
};
TEST_ALONE(DeviceFaultLog, SaysWhatHappened) {
  testing::internal::CaptureStderr();
  launch(culprit);
  EXPECT_LT(clFinish(queue), 0);
  EXPECT_TRUE(soon([&] { return !told().empty(); }));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), nullptr);
  const std::string log = testing::internal::GetCapturedStderr();
  const std::size_t refusal = log.find("refused with " + std::to_string(CL_DEVICE_NOT_AVAILABLE));
  ASSERT_NE(refusal, std::string::npos) << log;
  EXPECT_NE(log.find("CUDA_ERROR_", refusal), std::string::npos) << log;
  EXPECT_NE(log.find(": cu", refusal), std::string::npos) << log;
  EXPECT_NE(log.find("in flight when"), std::string::npos) << log;
  EXPECT_NE(log.find("culprit"), std::string::npos) << log;
}

// The user event delays the fault until all commands are enqueued.
TEST_ALONE(DeviceFault, WaitingForEventsFails) {
  const test::Event gate = make_user_event();
  const cl_event event = launch(culprit, nullptr, gate), next = launch(innocent);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &next));
}

// More work-groups in y than one CUDA launch allows: the first part may fault before the other parts are launched.
constexpr std::size_t kManyParts[] = {1, std::size_t{65535} * 20'000}, kOneEach[] = {1, 1};

TEST_ALONE(DeviceFault, EnqueueSucceedsAlthoughItsKernelHasFaulted) {
  test::Event event;
  CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, culprit, 2, nullptr, kManyParts, kOneEach, 0, nullptr,
                                               event.out()));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, event.list()));
  EXPECT_LT(test::status_of(event), 0);
  EXPECT_TRUE(soon([&] { return told().find("culprit") != std::string::npos; })) << told();
}

TEST_ALONE(DeviceFault, EnqueueWithoutEventSucceedsAlthoughItsKernelHasFaulted) {
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(queue, culprit, 2, nullptr, kManyParts, kOneEach, 0, nullptr, nullptr));
  EXPECT_LT(clFinish(queue), 0);
  EXPECT_TRUE(soon([&] { return told().find("culprit") != std::string::npos; })) << told();
}

// The loss is reported to the context's callback without any further call, with the name of the only kernel in flight.
TEST_ALONE(DeviceFault, CallbackNamesTheKernel) {
  const std::size_t size = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, culprit, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
  EXPECT_TRUE(soon([&] { return !told().empty(); }));
  EXPECT_NE(told().find("culprit"), std::string::npos) << told();
  EXPECT_EQ(told().find("innocent"), std::string::npos) << told();
  EXPECT_NE(told().find("is lost"), std::string::npos) << told();
}

// Commands that are held by a user event end with an error, in all queues; the user event keeps its status.
TEST_ALONE(DeviceFault, HeldCommandsEnd) {
  const test::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), other = make_queue(0);
  test::Event gate = make_user_event(), untouched = make_user_event();
  std::vector<cl_event> held;
  for (int i = 0; i < 10; ++i)
    held.push_back(launch(innocent, i % 2 ? loose : other, i ? held.back() : gate.get()));
  std::atomic<int> woken = 0, calls = 0, good = 0;
  std::vector<std::thread> waiting;
  for (const cl_event event : {held.front(), held.back()})
    waiting.emplace_back([&, event] { woken += clWaitForEvents(1, &event) < 0; });
  waiting.emplace_back([&] { woken += clFinish(other) < 0; });
  std::pair<std::atomic<int>*, std::atomic<int>*> counts{&calls, &good};
  for (const cl_event event : held)
    CL_OK(clSetEventCallback(
        event, CL_COMPLETE,
        [](cl_event, cl_int status, void* data) {
          auto [called, failed] = *static_cast<std::pair<std::atomic<int>*, std::atomic<int>*>*>(data);
          *failed += status < 0;
          ++*called;
        },
        &counts));
  std::this_thread::sleep_for(milliseconds(50));
  launch(culprit, loose);
  // The loss may already have been detected.
  const cl_int flushed = clFlush(loose);
  EXPECT_TRUE(flushed == CL_SUCCESS || flushed == CL_OUT_OF_RESOURCES) << test::error_name(flushed);
  EXPECT_TRUE(soon([&] { return woken == 3 && calls == 10; })) << woken << ' ' << calls;
  EXPECT_EQ(good, 10);
  for (const cl_event event : held) EXPECT_LT(test::status_of(event), 0);
  EXPECT_EQ(test::status_of(gate), CL_SUBMITTED);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, gate.list()));
  for (std::thread& thread : waiting) thread.join();
}

// Objects can be released while the device is lost and during the loss, with large transfers in flight.
TEST_ALONE(DeviceFault, ReleasesWork) {
  std::vector<std::uint8_t> host(20 << 20);
  test::Buffer large = make_buffer(host.size());
  test::Event written, read;
  CL_OK(clEnqueueWriteBuffer(queue, large, CL_FALSE, 0, host.size(), host.data(), 0, nullptr, written.out()));
  const test::Event gate = make_user_event();
  launch(culprit, nullptr, gate);
  CL_OK(clEnqueueReadBuffer(queue, large, CL_FALSE, 0, host.size(), host.data(), 0, nullptr, read.out()));
  large.reset();
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_TRUE(soon([&] { return test::status_of(read) < 0; }));
  CL_OK(clReleaseKernel(innocent.get()));
  CL_OK(clRetainKernel(culprit));
  CL_OK(clReleaseKernel(culprit));
  *const_cast<cl_kernel*>(innocent.list()) = nullptr;
  program.reset();
  buffer.reset();
  queue.reset();
}

// The process ends normally although the application has not noticed the loss. Enqueues after the fault may fail.
TEST_ALONE(DeviceFault, ExitsCleanly) {
  for (int i = 0; i < 50; ++i) launch(innocent);
  launch(culprit);
  const std::size_t size = 1;
  for (int i = 0; i < 50; ++i) {
    const cl_int result =
        clEnqueueNDRangeKernel(queue, innocent, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
    EXPECT_TRUE(result == CL_SUCCESS || result == CL_OUT_OF_RESOURCES) << test::error_name(result);
  }
}

}  // namespace
