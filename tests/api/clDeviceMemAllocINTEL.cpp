// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "support/device_info.h"
#include "support/images.h"
#include "usm_test.h"

namespace {

class DeviceMemAlloc : public test::UsmTest {};

TEST_F(DeviceMemAlloc, SizesAlignmentsAndErrors) {
  check_allocation(test::Usm::device);
  cl_int error = 1;
  const auto refuses = [&](cl_int code, cl_context in, cl_device_id on) {
    EXPECT_EQ(nullptr, usm->device_alloc(in, on, nullptr, 64, 0, &error));
    CL_EXPECT(code, error);
  };
  refuses(CL_INVALID_CONTEXT, nullptr, device);
  refuses(CL_INVALID_CONTEXT, reinterpret_cast<cl_context>(queue.get()), device);
  refuses(CL_INVALID_DEVICE, context, nullptr);
  refuses(CL_INVALID_DEVICE, context, reinterpret_cast<cl_device_id>(queue.get()));
  for (cl_device_id other : test::devices())
    if (other != device) refuses(CL_INVALID_DEVICE, context, other);
}

// The host cannot access device memory, so it is no host memory of buffers and images, and has no contents for them.
TEST_F(DeviceMemAlloc, IsNoHostMemoryOfObjects) {
  const test::UsmMemory memory = allocate(test::Usm::device, 1000);
  const bool images = test::device_info<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT);
  constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc shape = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    cl_int error = 1;
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, 100, memory.get(), &error));
    CL_EXPECT(CL_INVALID_HOST_PTR, error) << flags;
    if (!images) continue;
    error = 1;
    const test::Image image = clCreateImage(context, flags, &kFormat, &shape, memory.get() + 4, &error);
    EXPECT_EQ(nullptr, image.get());
    CL_EXPECT(CL_INVALID_HOST_PTR, error) << flags;
  }
}

// Reads and writes of buffers accept device memory in place of host memory.
TEST_F(DeviceMemAlloc, BuffersAreReadIntoIt) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{1} << 20}) {
    const test::UsmMemory memory = allocate(test::Usm::device, size),
                          other = allocate(test::Usm::device, size);
    const auto values = test::random_values(size);
    const test::Buffer buffer = make_buffer(values), second = make_buffer(size);
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, size, memory.get(), 0, nullptr, nullptr));
    CL_OK(clEnqueueWriteBuffer(queue, second, CL_FALSE, 0, size, memory.get(), 0, nullptr, nullptr));
    EXPECT_EQ(read(memory, size), values);
    EXPECT_EQ(contents(second, size), values);
  }
}

// Each thread allocates, computes and frees, all in one context.
TEST_F(DeviceMemAlloc, FromManyThreads) {
  const test::Program program = build("kernel void k(global uint* p, uint v) { p[get_global_id(0)] += v; }");
  std::vector<std::thread> threads;
  for (cl_uint t = 0; t < 4; ++t)
    threads.emplace_back([&, t, seed = test::random_engine()()] {
      const test::RandomEngineOfThread own(seed);
      const test::Queue mine = make_queue(t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      const test::Kernel kernel = make_kernel(program, "k");
      for (int round = 0; round < 20; ++round) {
        const std::size_t count = 1 + test::random_engine()() % 3000;
        const test::UsmMemory memory =
            allocate(test::kAllKinds[test::random_engine()() % 3], count * sizeof(cl_uint));
        auto values = test::random_values<cl_uint>(count);
        CL_EXPECT(CL_SUCCESS, usm->copy(mine, CL_TRUE, memory.get(), values.data(), count * sizeof(cl_uint),
                                        0, nullptr, nullptr));
        CL_EXPECT(CL_SUCCESS, usm->set_argument(kernel, 0, memory.get()));
        set_argument(kernel, 1, t);
        launch(kernel, count, mine);
        CL_EXPECT(CL_SUCCESS, clFinish(mine));
        std::vector<cl_uint> seen(count);
        CL_EXPECT(CL_SUCCESS, usm->copy(mine, CL_TRUE, seen.data(), memory.get(), count * sizeof(cl_uint), 0,
                                        nullptr, nullptr));
        for (cl_uint& value : values) value += t;
        EXPECT_EQ(seen, values);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// Freed memory can be allocated again: the sizes add up to several times the device's memory.
TEST_F(DeviceMemAlloc, NothingLeaks) {
  cl_ulong whole = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof whole, &whole, nullptr));
  const std::size_t size = whole / 16;
  for (int round = 0; round < 60; ++round) {
    cl_int error = 1;
    void* data = usm->device_alloc(context, device, nullptr, size, 0, &error);
    ASSERT_EQ("CL_SUCCESS", test::error_name(error)) << round;
    CL_OK(usm->free(context, data));
  }
}

}  // namespace
