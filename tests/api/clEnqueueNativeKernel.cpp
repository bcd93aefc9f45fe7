// SPDX-License-Identifier: Apache-2.0
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

}  // namespace
