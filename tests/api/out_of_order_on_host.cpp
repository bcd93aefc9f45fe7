// SPDX-License-Identifier: Apache-2.0
// In out-of-order queues, neither commands that the host executes nor callbacks wait for independent commands. Each command here is
// followed on the device by a kernel that waits for the command's callback. As the library puts independent commands into its streams in
// turn, tests have rounds with different numbers of commands between the two, so that they share a stream in one round.
#include <chrono>
#include <future>

#include "support/device_info.h"
#include "svm_test.h"

namespace {

constexpr int kRounds = 16;

// The callback of a command: tells the test, and lets a kernel end.
struct Told {
  std::atomic<cl_int>& opened;
  std::promise<void> promise{};

  static void CL_CALLBACK note(cl_event, cl_int, void* user) {
    auto& self = *static_cast<Told*>(user);
    self.opened = 1;
    self.promise.set_value();
  }
  bool in_time() {
    const std::future<void> called = promise.get_future();
    if (called.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return true;
    opened = 1;
    called.wait();
    return false;
  }
};

class OutOfOrderOnHost : public test::SvmTest {
 protected:
  void SetUp() override {
    test::SvmTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    if (!has(CL_DEVICE_SVM_ATOMICS)) GTEST_SKIP() << "no way to hold a kernel up";
    if (test::device_info<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS) < 2)
      GTEST_SKIP() << "a device that runs one work-group at a time";
    program = build(
        "kernel void hold(global atomic_int* opened) {\n"
        "  while (!atomic_load_explicit(opened, memory_order_relaxed, memory_scope_all_svm_devices)); }\n");
    kernel = make_kernel(program, "hold");
    filled = make_buffer(4);
    gates = allocate(2 * sizeof(cl_int), CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
    loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  std::atomic<cl_int>& gate(int index) const { return gates.as<std::atomic<cl_int>>()[index]; }
  // A kernel that runs until gate(index) is 1.
  test::Event hold(int index, cl_uint count = 0, const cl_event* waits = nullptr) const {
    gate(index) = 0;
    test::Event event;
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, &gate(index)));
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(loose, kernel, 1, nullptr, &one, nullptr, count, waits, event.out()));
    return event;
  }
  void fill(int commands) const {
    for (int i = 0; i < commands; ++i)
      CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(loose, filled, "abcd", 4, 0, 4, 0, nullptr, nullptr));
  }

  test::Program program;
  test::Kernel kernel;
  test::Buffer filled;
  test::Svm gates;
  test::Queue loose;
};

// Section 5.11. A user event holds the first command until the second one is in a stream.
TEST_F(OutOfOrderOnHost, ACallbackDoesNotWaitForACommandEnqueuedBefore) {
  for (int between = 0; between < kRounds && !HasFailure(); ++between) {
    const test::Event user = make_user_event();
    const test::Event before = hold(0, 1, user.list()), watched = hold(1);
    fill(between);
    CL_OK(clSetEventCallback(before, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr));
    CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
    Told told{gate(0)};
    CL_OK(clSetEventCallback(watched, CL_COMPLETE, Told::note, &told));
    gate(1) = 1;
    EXPECT_TRUE(told.in_time()) << between << " commands between the two";
    CL_OK(clFinish(loose));
  }
}

// Section 5.12. A marker that a user event holds, itself or through a command before it, follows what its wait list names, or what was
// enqueued before it. The later command is in a stream before the user event is set.
class HeldMarker : public OutOfOrderOnHost {
 protected:
  template <class Enqueue>
  void expect_independent_of_later_commands(const Enqueue& enqueue) {
    for (int between = 0; between < kRounds && !HasFailure(); ++between) {
      const test::Event user = make_user_event();
      const test::Event held = enqueue(user.list());
      Told told{gate(0)};
      CL_OK(clSetEventCallback(held, CL_COMPLETE, Told::note, &told));
      const test::Event later = hold(0);
      fill(between);
      CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
      EXPECT_TRUE(told.in_time()) << between << " commands behind them";
      CL_OK(clFinish(loose));
    }
  }
};

TEST_F(HeldMarker, WithAWaitListDoesNotWaitForCommandsEnqueuedLater) {
  expect_independent_of_later_commands([&](const cl_event* user) {
    test::Event marker;
    CL_EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(loose, 1, user, marker.out()));
    return marker;
  });
}

TEST_F(HeldMarker, WithoutAWaitListDoesNotWaitForCommandsEnqueuedLater) {
  expect_independent_of_later_commands([&](const cl_event* user) {
    test::Event marker;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(loose, filled, "abcd", 4, 0, 4, 1, user, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(loose, 0, nullptr, marker.out()));
    return marker;
  });
}

// Of the two kernels before it, one is in a stream when it is enqueued, and one is held.
TEST_F(HeldMarker, WithoutAWaitListWaitsForCommandsEnqueuedBefore) {
  for (int between = 0; between < kRounds && !HasFailure(); ++between) {
    const test::Event user = make_user_event();
    const test::Event running = hold(0), held = hold(1, 1, user.list());
    test::Event marker, next_marker;
    CL_OK(clEnqueueMarkerWithWaitList(loose, 0, nullptr, marker.out()));
    fill(between);
    CL_OK(clEnqueueMarkerWithWaitList(loose, 0, nullptr, next_marker.out()));
    CL_OK(clSetUserEventStatus(user, CL_COMPLETE));
    for (const int first : {between % 2, 1 - between % 2}) {
      for (const test::Event* each : {&marker, &next_marker}) EXPECT_GT(test::status_of(*each), CL_COMPLETE);
      gate(first) = 1;
      CL_OK(clWaitForEvents(1, (first ? held : running).list()));
    }
    CL_OK(clWaitForEvents(1, next_marker.list()));
    EXPECT_EQ(test::status_of(marker), CL_COMPLETE);
    CL_OK(clFinish(loose));
  }
}

struct Arguments {
  cl_uint* value;
  const std::future<void>* allowed;
};

void CL_CALLBACK increment_when_allowed(void* data) {
  const auto& arguments = *static_cast<const Arguments*>(data);
  arguments.allowed->wait();
  ++*arguments.value;
}

TEST_F(OutOfOrderOnHost, ANativeKernelDoesNotWaitForACommandEnqueuedLater) {
  if (!(test::device_info<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES) &
        CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "the device runs no native kernels";
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>{7});
  for (int between = 0; between < kRounds && !HasFailure(); ++between) {
    std::promise<void> allow;
    const std::future<void> allowed = allow.get_future();
    Arguments arguments{nullptr, &allowed};
    const void* place = &arguments.value;
    test::Event native;
    CL_OK(clEnqueueNativeKernel(loose, increment_when_allowed, &arguments, sizeof arguments, 1, buffer.list(),
                                &place, 0, nullptr, native.out()));
    Told told{gate(0)};
    CL_OK(clSetEventCallback(native, CL_COMPLETE, Told::note, &told));
    fill(between);
    const test::Event later = hold(0);
    allow.set_value();
    EXPECT_TRUE(told.in_time()) << between << " commands between the two";
    CL_OK(clFinish(loose));
  }
  EXPECT_EQ(std::vector<cl_uint>{7 + kRounds}, contents<cl_uint>(buffer, 1));
}

// More than the library has threads for.
TEST_F(OutOfOrderOnHost, ManyNativeKernelsThatWaitForTheDeviceLeaveRoomForOthers) {
  if (!(test::device_info<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES) &
        CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "the device runs no native kernels";
  constexpr int kMany = 500;
  std::atomic<int> run = 0;
  std::atomic<int>* counter = &run;
  const auto count = [](void* data) { ++**static_cast<std::atomic<int>**>(data); };
  const test::Queue other = make_queue(0);
  const test::Event running = hold(0);
  for (int i = 0; i < kMany; ++i)
    CL_OK(clEnqueueNativeKernel(loose, count, static_cast<void*>(&counter), sizeof counter, 0, nullptr,
                                nullptr, 1, running.list(), nullptr));
  test::Event free;
  CL_OK(clEnqueueNativeKernel(other, count, static_cast<void*>(&counter), sizeof counter, 0, nullptr, nullptr,
                              0, nullptr, free.out()));
  Told told{gate(0)};
  CL_OK(clSetEventCallback(free, CL_COMPLETE, Told::note, &told));
  EXPECT_TRUE(told.in_time());
  CL_OK(clFinish(loose));
  EXPECT_EQ(run, kMany + 1);
}

// Of memory that the device does not reach, in many pieces, which a worker thread copies one after the other. They begin when the later
// command is in its stream.
TEST_F(OutOfOrderOnHost, ALargeTransferDoesNotWaitForACommandEnqueuedLater) {
  constexpr std::size_t kSize = 40 << 20;
  const auto sent = test::random_values(kSize);
  const test::Buffer buffer = make_buffer(kSize);
  for (int between = 0; between < kRounds && !HasFailure(); ++between) {
    const test::Event first = hold(1);
    test::Event written;
    CL_OK(
        clEnqueueWriteBuffer(loose, buffer, CL_FALSE, 0, kSize, sent.data(), 1, first.list(), written.out()));
    Told told{gate(0)};
    CL_OK(clSetEventCallback(written, CL_COMPLETE, Told::note, &told));
    fill(between);
    const test::Event later = hold(0);
    gate(1) = 1;
    EXPECT_TRUE(told.in_time()) << between << " commands between the two";
    CL_OK(clFinish(loose));
  }
  EXPECT_TRUE(sent == contents(buffer, kSize));
}

}  // namespace
