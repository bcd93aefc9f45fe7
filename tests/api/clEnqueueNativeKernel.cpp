// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <thread>

#include "support/wait_list.h"

namespace {

class NativeKernel : public test::WaitListTest {
 protected:
  void SetUp() override {
    test::WaitListTest::SetUp();
    cl_device_exec_capabilities capabilities = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities,
                          nullptr));
    if (!(capabilities & CL_EXEC_NATIVE_KERNEL)) GTEST_SKIP() << "the device runs no native kernels";
  }
};

struct Arguments {
  cl_uint addend;
  cl_uint* values;
  std::size_t count;
};

void CL_CALLBACK add(void* data) {
  const auto& arguments = *static_cast<Arguments*>(data);
  for (std::size_t i = 0; i < arguments.count; ++i) arguments.values[i] += arguments.addend;
}

void CL_CALLBACK nothing(void*) {}

TEST_F(NativeKernel, ChangesABuffer) {
  auto values = test::random_values<cl_uint>(1000);
  const test::Buffer buffer = make_buffer(values);
  Arguments arguments{7, nullptr, values.size()};
  const cl_mem memory = buffer;
  const void* place = &arguments.values;
  CL_OK(clEnqueueNativeKernel(queue, add, &arguments, sizeof arguments, 1, &memory, &place, 0, nullptr,
                              nullptr));
  arguments = {};  // the call has copied them
  for (cl_uint& value : values) value += 7;
  EXPECT_EQ(contents<cl_uint>(buffer, 1000), values);
}

struct Twice {
  cl_uint *first, *second;
};

void CL_CALLBACK through_both(void* data) {
  const auto& arguments = *static_cast<Twice*>(data);
  arguments.first[0] = 42;
  arguments.second[1] = arguments.second[0] + 1;
}

// A buffer that is named twice, or beside its sub-buffer, is one memory.
TEST_F(NativeKernel, BuffersThatShareBytes) {
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(100, 7));
  const cl_buffer_region region{0, 64};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_EXPECT(CL_SUCCESS, error);
  for (const cl_mem second : {buffer.get(), part.get()}) {
    Twice arguments{};
    const cl_mem memories[] = {buffer, second};
    const void* places[] = {&arguments.first, &arguments.second};
    CL_OK(clEnqueueNativeKernel(queue, through_both, &arguments, sizeof arguments, 2, memories, places, 0,
                                nullptr, nullptr));
    EXPECT_EQ((std::vector<cl_uint>{42, 43, 7}), contents<cl_uint>(buffer, 3));
    const std::vector<cl_uint> sevens(3, 7);
    CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 12, sevens.data(), 0, nullptr, nullptr));
  }
}

void CL_CALLBACK change_every_other(void* data) {
  const auto& arguments = *static_cast<Arguments*>(data);
  for (std::size_t i = 0; i < arguments.count; i += 2) ++arguments.values[i];
}

// More changes than are written one by one.
TEST_F(NativeKernel, ManyChanges) {
  auto values = test::random_values<cl_uint>(50000);
  const test::Buffer buffer = make_buffer(values);
  Arguments arguments{0, nullptr, values.size()};
  const void* place = &arguments.values;
  CL_OK(clEnqueueNativeKernel(queue, change_every_other, &arguments, sizeof arguments, 1, buffer.list(),
                              &place, 0, nullptr, nullptr));
  for (std::size_t i = 0; i < values.size(); i += 2) ++values[i];
  EXPECT_EQ(values, contents<cl_uint>(buffer, values.size()));
}

TEST_F(NativeKernel, Errors) {
  Arguments arguments{};
  const test::Buffer buffer = make_buffer(16);
  const cl_mem memory = buffer, bad = reinterpret_cast<cl_mem>(&arguments);
  const void* place = &arguments.values;
  const auto run = [&](void(CL_CALLBACK * function)(void*), void* data, std::size_t size, cl_uint count,
                       const cl_mem* memories, const void** places) {
    return clEnqueueNativeKernel(queue, function, data, size, count, memories, places, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, run(nullptr, nullptr, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, nullptr, 4, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, &arguments, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, nullptr, 0, 1, &memory, &place));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, &arguments, sizeof arguments, 1, nullptr, &place));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, &arguments, sizeof arguments, 1, &memory, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, run(nothing, &arguments, sizeof arguments, 0, &memory, &place));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, run(nothing, &arguments, sizeof arguments, 1, &bad, &place));
  const void* outside[] = {&arguments + 1, reinterpret_cast<std::byte*>(&arguments + 1) - 4, nullptr};
  for (const void* one : outside)
    CL_EXPECT(CL_INVALID_VALUE, run(nothing, &arguments, sizeof arguments, 1, &memory, &one));
}

TEST_F(NativeKernel, WaitList) {
  check_wait_list(CL_COMMAND_NATIVE_KERNEL, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                                cl_event* event) {
    return clEnqueueNativeKernel(tested, nothing, nullptr, 0, 0, nullptr, nullptr, count, waits, event);
  });
}

// Native kernels of many queues run at a time, however many wait for others.
TEST_F(NativeKernel, ManyRunAtATime) {
  struct Meeting {
    static constexpr int kCount() { return 100; }
    std::atomic<int> here = 0;
    static void CL_CALLBACK wait(void* data) {
      auto& self = **static_cast<Meeting**>(data);
      ++self.here;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (self.here < kCount() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(self.here, kCount());
    }
  } meeting;
  Meeting* argument = &meeting;
  std::vector<test::Queue> queues;
  for (int i = 0; i < Meeting::kCount(); ++i) {
    queues.push_back(make_queue(0));
    CL_OK(clEnqueueNativeKernel(queues.back(), Meeting::wait, &argument, sizeof argument, 0, nullptr, nullptr,
                                0, nullptr, nullptr));
  }
  for (const test::Queue& used : queues) CL_OK(clFinish(used));
}

// Section 5.11: callbacks are called when the status is reached, so a native kernel may wait for that of its beginning.
TEST_F(NativeKernel, TellsThatItRuns) {
  struct Told {
    std::atomic<bool> submitted = false, running = false;
    static void CL_CALLBACK note(cl_event, cl_int status, void* data) {
      auto& self = *static_cast<Told*>(data);
      (status == CL_SUBMITTED ? self.submitted : self.running) = true;
    }
    static void CL_CALLBACK wait(void* data) {
      auto& self = **static_cast<Told**>(data);
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!(self.submitted && self.running) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_TRUE(self.submitted);
      EXPECT_TRUE(self.running);
    }
  } told;
  Told* argument = &told;
  const test::Event gate = make_user_event();
  test::Event event;
  CL_OK(clEnqueueNativeKernel(queue, Told::wait, &argument, sizeof argument, 0, nullptr, nullptr, 1,
                              gate.list(), event.out()));
  CL_OK(clSetEventCallback(event, CL_SUBMITTED, Told::note, &told));
  CL_OK(clSetEventCallback(event, CL_RUNNING, Told::note, &told));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, event.list()));
}

}  // namespace
