// SPDX-License-Identifier: Apache-2.0
// Device queues: clCreateCommandQueueWithProperties, clSetDefaultDeviceCommandQueue, queries, kernel arguments.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/device_info.h"
#include "support/opencl.h"

namespace {

constexpr cl_command_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

class DeviceQueues : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!(test::device_info<cl_device_device_enqueue_capabilities>(device,
                                                                   CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) &
          CL_DEVICE_QUEUE_SUPPORTED)) {
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
      cl_int error = CL_SUCCESS;
      EXPECT_EQ(nullptr, clCreateCommandQueueWithProperties(context, device, list, &error));
      CL_EXPECT(CL_INVALID_QUEUE_PROPERTIES, error);
      CL_EXPECT(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
      GTEST_SKIP() << "the driver is too old";
    }
  }
  template <class T>
  static T queue_info(cl_command_queue asked, cl_command_queue_info name) {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetCommandQueueInfo(asked, name, sizeof value, &value, nullptr));
    return value;
  }
  cl_command_queue default_queue() const {
    return queue_info<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT);
  }
  cl_int error_of(std::vector<cl_queue_properties> list) const {
    cl_int error = CL_SUCCESS;
    const test::Queue made = clCreateCommandQueueWithProperties(context, device, list.data(), &error);
    return error;
  }
};

TEST_F(DeviceQueues, TheDeviceSaysWhatItOffers) {
  EXPECT_EQ(test::device_info<cl_bitfield>(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
            cl_bitfield{CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT});
  EXPECT_EQ(test::device_info<cl_bitfield>(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
            cl_bitfield{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE});
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16u << 10);
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 256u << 10);
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1u);
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024u);
}

TEST_F(DeviceQueues, AQueueTellsWhatItWasMadeWith) {
  const cl_queue_properties list[] = {CL_QUEUE_SIZE, 20000, CL_QUEUE_PROPERTIES, kOnDevice, 0};
  cl_int error = CL_SUCCESS;
  const test::Queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
  CL_OK(error);
  EXPECT_EQ(queue_info<cl_uint>(made, CL_QUEUE_SIZE), 20000u);
  EXPECT_EQ(queue_info<cl_context>(made, CL_QUEUE_CONTEXT), context.get());
  EXPECT_EQ(queue_info<cl_device_id>(made, CL_QUEUE_DEVICE), device);
  EXPECT_EQ(queue_info<cl_command_queue_properties>(made, CL_QUEUE_PROPERTIES), kOnDevice);
  EXPECT_EQ(queue_info<cl_uint>(made, CL_QUEUE_REFERENCE_COUNT), 1u);
  cl_queue_properties kept[5] = {};
  std::size_t size = 0;
  CL_OK(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof kept, kept, &size));
  EXPECT_EQ(size, sizeof kept);
  EXPECT_TRUE(std::equal(std::begin(list), std::end(list), kept));
  const test::Queue plain = make_queue(kOnDevice);
  EXPECT_EQ(queue_info<cl_uint>(plain, CL_QUEUE_SIZE),
            test::device_info<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
}

TEST_F(DeviceQueues, CreationErrors) {
  const cl_queue_properties most = test::device_info<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  CL_EXPECT(CL_INVALID_VALUE, error_of({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}));
  CL_EXPECT(CL_INVALID_QUEUE_PROPERTIES,
            error_of({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, most + 1, 0}));
  CL_EXPECT(CL_INVALID_VALUE,
            error_of({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, 1024, CL_QUEUE_SIZE, 1024, 0}));
  CL_EXPECT(CL_SUCCESS, error_of({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, most, 0}));
}

TEST_F(DeviceQueues, ThereIsOneDefaultQueue) {
  EXPECT_EQ(default_queue(), nullptr);
  test::Queue first = make_queue(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
  EXPECT_EQ(default_queue(), first.get());
  {
    const test::Queue again = make_queue(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
    EXPECT_EQ(again.get(), first.get());
    EXPECT_EQ(queue_info<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT), 2u);
  }
  test::Queue second = make_queue(kOnDevice);
  EXPECT_EQ(default_queue(), first.get());
  CL_OK(clSetDefaultDeviceCommandQueue(context, device, second));
  EXPECT_EQ(default_queue(), second.get());
  EXPECT_EQ(queue_info<cl_command_queue>(first, CL_QUEUE_DEVICE_DEFAULT), second.get());
  first.reset();
  EXPECT_EQ(default_queue(), second.get());
  second.reset();
  EXPECT_EQ(default_queue(), nullptr);
}

// Each of several threads creates the default queue, or is given that of another thread, which may release it at any time.
TEST_F(DeviceQueues, ThreadsShareTheDefaultQueue) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20'000 && !HasFailure(); ++round) {
        const test::Queue own = make_queue(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
        EXPECT_GE(queue_info<cl_uint>(own, CL_QUEUE_REFERENCE_COUNT), 1u);
        EXPECT_EQ(queue_info<cl_command_queue>(own, CL_QUEUE_DEVICE_DEFAULT), own.get());
        CL_EXPECT(CL_SUCCESS, clRetainCommandQueue(own));
        CL_EXPECT(CL_SUCCESS, clReleaseCommandQueue(own));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(default_queue(), nullptr);
}

// Also in kernels that enqueue nothing, with and without global offset.
TEST_F(DeviceQueues, KernelsKnowTheDefaultQueue) {
  const test::Program program = build(
      "kernel void compare(queue_t q, global int* out) {"
      "  out[0] = q == get_default_queue(); out[1] = get_default_queue() == CLK_NULL_QUEUE; }");
  const test::Kernel kernel = make_kernel(program, "compare");
  const test::Buffer out = make_buffer(std::vector<cl_int>(2, -1));
  const test::Queue plain = make_queue(kOnDevice);
  const auto compared = [&](cl_command_queue with, std::size_t offset) {
    set_arguments(kernel, with, out);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_int>(out, 2);
  };
  for (const std::size_t offset : {0, 5}) {
    EXPECT_EQ(compared(plain, offset), (std::vector<cl_int>{0, 1}));
    const test::Queue first = make_queue(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
    EXPECT_EQ(compared(first, offset), (std::vector<cl_int>{1, 0}));
    EXPECT_EQ(compared(plain, offset), (std::vector<cl_int>{0, 0}));
  }
}

TEST_F(DeviceQueues, SetDefaultErrors) {
  const test::Queue own = make_queue(kOnDevice);
  CL_EXPECT(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(nullptr, device, own));
  CL_EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, own));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
  cl_int error = CL_SUCCESS;
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(other, device, own));
}

TEST_F(DeviceQueues, TheHostCannotEnqueueIntoThem) {
  const test::Queue own = make_queue(kOnDevice);
  const test::Buffer buffer = make_buffer(64);
  char bytes[64];
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadBuffer(own, buffer, CL_TRUE, 0, 64, bytes, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(own, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFinish(own));
  CL_EXPECT(CL_INVALID_COMMAND_QUEUE, clFlush(own));
}

TEST_F(DeviceQueues, AsKernelArguments) {
  const test::Program program = build(
      "kernel void parent(queue_t q, global int* out) {"
      "  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 5; }); }");
  const test::Kernel kernel = make_kernel(program, "parent");
  const test::Queue own = make_queue(kOnDevice);
  const test::Buffer out = make_buffer(std::vector<cl_int>(2, 1));
  cl_command_queue none = nullptr, host = queue;
  CL_EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, &none));
  CL_EXPECT(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof host, &host));
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, own.list()));
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  const test::Queue foreign = clCreateCommandQueueWithProperties(other, device, properties, nullptr);
  CL_EXPECT(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 0, sizeof(cl_command_queue), foreign.list()));
  set_arguments(kernel, own.get(), out);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_int>(out, 2), (std::vector<cl_int>{0, 5}));
}

// A command that fails because of what its kernel enqueued needs its memory objects no longer than others.
TEST_F(DeviceQueues, CommandsThatFailReleaseTheirMemory) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_int error = CL_SUCCESS;
  const test::Queue on_device = clCreateCommandQueueWithProperties(context, device, list, &error);
  CL_OK(error);
  const test::Kernel kernel =
      make_kernel(build("kernel void k(global int* p, int status) {\n"
                        "  clk_event_t event = create_user_event();\n"
                        "  set_user_event_status(event, status);\n"
                        "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1,\n"
                        "                 &event, (clk_event_t*)0, ^{ p[0] = 5; });\n"
                        "  release_event(event);\n"
                        "}\n",
                        "-cl-std=CL2.0"),
                  "k");
  for (const cl_int status : {CL_COMPLETE, -7}) {
    SCOPED_TRACE(status);
    std::atomic<bool> destroyed = false;
    test::Buffer buffer = make_buffer(4);
    CL_OK(clSetMemObjectDestructorCallback(
        buffer, [](cl_mem, void* set) { *static_cast<std::atomic<bool>*>(set) = true; }, &destroyed));
    set_arguments(kernel, buffer, status);
    const std::size_t one = 1;
    test::Event event;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
    const cl_int waited = clWaitForEvents(1, event.list());
    EXPECT_EQ(waited == CL_SUCCESS, status == CL_COMPLETE);
    set_arguments(kernel, make_buffer(4), status);
    buffer.reset();
    for (int i = 0; i < 2000 && !destroyed; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(destroyed);
  }
}

}  // namespace
