// SPDX-License-Identifier: Apache-2.0
// Transfers between a buffer or image and host memory that kernels can access too, because it is SVM (section 3.3.3). Like other uses of
// that memory they are ordered with earlier and later commands of the queue, without blocking the host.
#include <cstdlib>

#include "support/device_info.h"
#include "support/images.h"
#include "svm_test.h"

namespace {

constexpr std::size_t kSizes[] = {4, 64, 4 << 10, 200 << 10, 3 << 20};

class SharedAsHostMemory : public test::SvmTest {
 protected:
  void SetUp() override {
    SvmTest::SetUp();
    if (IsSkipped()) return;
    // Slow enough that a transfer that does not wait for it would be earlier.
    program = build(
        "kernel void late(global uint* to, uint value, uint turns) {\n"
        "  uint x = value; for (uint i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u;\n"
        "  to[get_global_id(0)] = x == 12345u ? x : value + (uint)get_global_id(0); }\n"
        "kernel void copy(global const uint* from, global uint* to) {\n"
        "  to[get_global_id(0)] = from[get_global_id(0)]; }\n");
    kernel_late = make_kernel(program, "late");
    kernel_copy = make_kernel(program, "copy");
    if (has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) kinds.push_back(true);
  }
  // System memory if the device supports that, otherwise an SVM allocation.
  std::shared_ptr<cl_uint> shared(std::size_t size, bool of_system) {
    if (of_system)
      return {static_cast<cl_uint*>(std::aligned_alloc(128, (size + 127) / 128 * 128)), std::free};
    return {static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0)),
            [context = context.get()](void* memory) { clSVMFree(context, memory); }};
  }
  std::vector<cl_uint> seen_by_host(cl_uint* memory, std::size_t count, bool of_system) {
    if (!of_system)
      CL_EXPECT(CL_SUCCESS,
                clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, count * 4, 0, nullptr, nullptr));
    else
      CL_EXPECT(CL_SUCCESS, clFinish(queue));
    std::vector<cl_uint> seen(memory, memory + count);
    if (!of_system) CL_EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
    return seen;
  }
  // Sets each element to its index plus a value.
  void launch_late(cl_uint* to, std::size_t count, cl_uint value) {
    CL_OK(clSetKernelArgSVMPointer(kernel_late, 0, to));
    set_argument(kernel_late, 1, value);
    set_argument(kernel_late, 2, static_cast<cl_uint>(20'000'000 / count));
    launch(kernel_late, count);
  }
  static std::vector<cl_uint> counted(std::size_t count, cl_uint value) {
    std::vector<cl_uint> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = value + static_cast<cl_uint>(i);
    return all;
  }

  test::Program program;
  test::Kernel kernel_late, kernel_copy;
  std::vector<bool> kinds{false};
};

TEST_F(SharedAsHostMemory, ReadsComeAheadOfKernels) {
  for (const bool of_system : kinds)
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE((of_system ? "memory of the host, " : "an allocation, ") + std::to_string(size));
      const std::size_t count = size / 4;
      const auto values = test::random_values<cl_uint>(count);
      const auto memory = shared(size, of_system);
      const test::Buffer from = make_buffer(values), to = make_buffer(size);
      CL_OK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, size, memory.get(), 0, nullptr, nullptr));
      CL_OK(clSetKernelArgSVMPointer(kernel_copy, 0, memory.get()));
      set_argument(kernel_copy, 1, to);
      launch(kernel_copy, count);
      EXPECT_TRUE(contents<cl_uint>(to, count) == values);
      // The read must not overwrite what a later kernel writes.
      CL_OK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, size, memory.get(), 0, nullptr, nullptr));
      launch_late(memory.get(), count, 7);
      EXPECT_TRUE(seen_by_host(memory.get(), count, of_system) == counted(count, 7));
    }
}

TEST_F(SharedAsHostMemory, WritesComeBehindKernels) {
  for (const bool of_system : kinds)
    for (const bool blocking : {false, true})
      for (const std::size_t size : kSizes) {
        SCOPED_TRACE((of_system ? "memory of the host, " : "an allocation, ") + std::to_string(size));
        const std::size_t count = size / 4;
        const auto memory = shared(size, of_system);
        const test::Buffer to = make_buffer(size);
        launch_late(memory.get(), count, 3);
        CL_OK(clEnqueueWriteBuffer(queue, to, blocking, 0, size, memory.get(), 0, nullptr, nullptr));
        EXPECT_TRUE(contents<cl_uint>(to, count) == counted(count, 3));
      }
}

// Ordered by events, in a profiling queue.
TEST_F(SharedAsHostMemory, BehindEventsInOtherQueues) {
  const test::Queue other = make_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const bool of_system : kinds)
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE((of_system ? "memory of the host, " : "an allocation, ") + std::to_string(size));
      const std::size_t count = size / 4;
      const auto memory = shared(size, of_system), second = shared(size, of_system);
      const test::Buffer through = make_buffer(size), to = make_buffer(size);
      launch_late(memory.get(), count, 21);
      std::vector<test::Event> events(4);
      CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, events[0].out()));
      CL_OK(clEnqueueWriteBuffer(other, through, CL_FALSE, 0, size, memory.get(), 1, events[0].list(),
                                 events[1].out()));
      CL_OK(clEnqueueReadBuffer(other, through, CL_FALSE, 0, size, second.get(), 1, events[1].list(),
                                events[2].out()));
      CL_OK(clEnqueueMarkerWithWaitList(queue, 1, events[2].list(), nullptr));
      CL_OK(clSetKernelArgSVMPointer(kernel_copy, 0, second.get()));
      set_argument(kernel_copy, 1, to);
      launch(kernel_copy, count);
      EXPECT_TRUE(contents<cl_uint>(to, count) == counted(count, 21));
    }
}

// SVM copies, and maps of a buffer that uses the memory; the kernel gets it as a pointer.
TEST_F(SharedAsHostMemory, CopiesAndMaps) {
  for (const bool of_system : kinds)
    for (const bool blocking : {false, true})
      for (const std::size_t size : kSizes) {
        SCOPED_TRACE((of_system ? "memory of the host, " : "an allocation, ") + std::to_string(size));
        const std::size_t count = size / 4;
        const auto memory = shared(size, of_system), allocation = shared(size, false);
        launch_late(memory.get(), count, 31);
        CL_OK(clEnqueueSVMMemcpy(queue, blocking, allocation.get(), memory.get(), size, 0, nullptr, nullptr));
        EXPECT_TRUE(seen_by_host(allocation.get(), count, false) == counted(count, 31));
        launch_late(allocation.get(), count, 32);
        CL_OK(clEnqueueSVMMemcpy(queue, blocking, memory.get(), allocation.get(), size, 0, nullptr, nullptr));
        const test::Buffer to = make_buffer(size);
        CL_OK(clSetKernelArgSVMPointer(kernel_copy, 0, memory.get()));
        set_argument(kernel_copy, 1, to);
        launch(kernel_copy, count);
        EXPECT_TRUE(contents<cl_uint>(to, count) == counted(count, 32));

        cl_int error = CL_SUCCESS;
        const test::Buffer buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, memory.get(), &error);
        CL_OK(error);
        const cl_uint value = 0x89abcdef;
        CL_OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, size, 0, nullptr, nullptr));
        void* const mapped = clEnqueueMapBuffer(queue, buffer, blocking, CL_MAP_READ | CL_MAP_WRITE, 0, size,
                                                0, nullptr, nullptr, &error);
        CL_OK(error);
        launch(kernel_copy, count);  // reads what the map transfers
        launch_late(memory.get(), count, 33);
        CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
        EXPECT_TRUE(contents<cl_uint>(to, count) == std::vector<cl_uint>(count, value));
        EXPECT_TRUE(contents<cl_uint>(buffer, count) == counted(count, 33));
      }
}

TEST_F(SharedAsHostMemory, RectanglesAndImages) {
  if (!test::device_info<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
  constexpr std::size_t kSide = 64, kCount = kSide * kSide, kSize = kCount * 4;
  const std::size_t origin[3] = {}, region[3] = {kSide, kSide, 1}, bytes[3] = {4 * kSide, kSide, 1};
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, kSide, kSide);
  for (const bool of_system : kinds) {
    SCOPED_TRACE(of_system);
    const auto memory = shared(kSize, of_system);
    const test::Buffer buffer = make_buffer(kSize);
    cl_int error = CL_SUCCESS;
    const test::Image image = clCreateImage(context, 0, &format, &desc, nullptr, &error);
    CL_OK(error);
    launch_late(memory.get(), kCount, 11);
    CL_OK(clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, origin, origin, bytes, 0, 0, 0, 0, memory.get(),
                                   0, nullptr, nullptr));
    launch_late(memory.get(), kCount, 12);
    CL_OK(
        clEnqueueWriteImage(queue, image, CL_FALSE, origin, region, 0, 0, memory.get(), 0, nullptr, nullptr));
    CL_OK(clEnqueueReadBufferRect(queue, buffer, CL_FALSE, origin, origin, bytes, 0, 0, 0, 0, memory.get(), 0,
                                  nullptr, nullptr));
    const test::Buffer first = make_buffer(kSize), second = make_buffer(kSize);
    CL_OK(clSetKernelArgSVMPointer(kernel_copy, 0, memory.get()));
    set_argument(kernel_copy, 1, first);
    launch(kernel_copy, kCount);
    CL_OK(
        clEnqueueReadImage(queue, image, CL_FALSE, origin, region, 0, 0, memory.get(), 0, nullptr, nullptr));
    set_argument(kernel_copy, 1, second);
    launch(kernel_copy, kCount);
    EXPECT_TRUE(contents<cl_uint>(first, kCount) == counted(kCount, 11));
    EXPECT_TRUE(contents<cl_uint>(second, kCount) == counted(kCount, 12));
  }
}

// An image in a buffer that is an SVM allocation: a map transfers nothing and does not affect later commands.
TEST_F(SharedAsHostMemory, MapsOfImagesInIt) {
  if (!test::offers(device, "cl_khr_image2d_from_buffer")) GTEST_SKIP() << "no images in buffers";
  constexpr std::size_t kWidth = 64, kHeight = 4, kSize = kWidth * kHeight * 4;
  const auto memory = shared(kSize, false);
  cl_int error = CL_SUCCESS;
  const test::Buffer buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kSize, memory.get(), &error);
  CL_OK(error);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight);
  desc.buffer = buffer;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const test::Image image = clCreateImage(context, 0, &format, &desc, nullptr, &error);
  CL_OK(error);
  const std::size_t origin[3] = {}, region[3] = {kWidth, kHeight, 1};
  std::size_t row = 0;
  void* mapped = clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, origin, region, &row, nullptr, 0,
                                   nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(memory.get(), mapped);
  CL_OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  const cl_uint value = 0x12345678;
  CL_OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kSize, 0, nullptr, nullptr));
  EXPECT_TRUE(contents<cl_uint>(buffer, kSize / 4) == std::vector<cl_uint>(kSize / 4, value));
}

}  // namespace
