// SPDX-License-Identifier: Apache-2.0
// Commands that fail because of a driver error leave their objects and memory as they were.
#include "refusing_driver.h"
#include "support/images.h"
#include "support/spin.h"

namespace faults {
namespace {

using CommandRefusals = RefusingDriver<test::OpenCL>;
using RefusalsOfBusyQueues = RefusingDriver<test::SpinTest>;

cl_uint map_count(cl_mem memory) {
  cl_uint count = 0;
  CL_EXPECT(CL_SUCCESS, clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr));
  return count;
}

// Section 5.5.3: the region stays mapped if the unmap command fails.
TEST_F(CommandRefusals, LeaveABufferMapped) {
  const test::Buffer buffer = make_buffer(std::vector<int>(100, 1));
  cl_int error = 1;
  auto* mapped = static_cast<int*>(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                      400, 0, nullptr, nullptr, &error));
  CL_OK(error);
  mapped[7] = 5;
  driver::arm({.call = 1, .error = CUDA_ERROR_NOT_SUPPORTED, .function = "cuMemcpyHtoDAsync"});
  CL_EXPECT(CL_OUT_OF_RESOURCES, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  ASSERT_NE(driver::disarm().failed, nullptr);
  EXPECT_EQ(map_count(buffer), 1u);
  // Section 5.5.2: a region that is mapped for writing cannot be mapped for writing again.
  EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 400, 0, nullptr, nullptr, &error),
            nullptr);
  CL_EXPECT(CL_INVALID_OPERATION, error);
  EXPECT_EQ(mapped[7], 5);
  mapped[8] = 6;
  CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  const auto values = contents<int>(buffer, 100);
  EXPECT_EQ(values[7], 5);
  EXPECT_EQ(values[8], 6);
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
}

TEST_F(CommandRefusals, LeaveAnImageMapped) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 16, 16);
  cl_int error = 1;
  const test::Image image = clCreateImage(context, 0, &format, &desc, nullptr, &error);
  CL_OK(error);
  const std::size_t origin[3] = {}, region[3] = {16, 16, 1};
  std::size_t pitch = 0;
  auto* mapped = static_cast<unsigned char*>(clEnqueueMapImage(
      queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, nullptr, 0, nullptr, nullptr, &error));
  CL_OK(error);
  std::memset(mapped, 9, pitch * 16);
  driver::arm({.call = 1, .error = CUDA_ERROR_NOT_SUPPORTED, .function = "cuMemcpy3DAsync"});
  CL_EXPECT(CL_OUT_OF_RESOURCES, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  ASSERT_NE(driver::disarm().failed, nullptr);
  EXPECT_EQ(map_count(image), 1u);
  CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
  std::vector<unsigned char> texels(16 * 16 * 4);
  CL_OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr));
  EXPECT_EQ(texels, std::vector<unsigned char>(texels.size(), 9));
}

// A read fails after its copy has been enqueued in the stream: the staging memory must not be reused before the copy has ended.
TEST_F(RefusalsOfBusyQueues, KeepTheMemoryOfCopiesUnderWay) {
  constexpr std::size_t kSize = 32 << 10;
  const auto first = test::random_values(kSize), second = test::random_values(kSize);
  const test::Buffer read = make_buffer(first), written = make_buffer(kSize);
  const test::Queue other = make_queue(0);
  int failures = 0;
  for (std::uint64_t call = 1; call <= 4; ++call) {
    SCOPED_TRACE(call);
    std::vector<std::uint8_t> host(kSize);
    spin_for(queue, 100);
    test::Event event;
    driver::arm({.call = call, .error = CUDA_ERROR_NOT_SUPPORTED, .function = "cuEventRecord"});
    const cl_int code =
        clEnqueueReadBuffer(queue, read, CL_FALSE, 0, kSize, host.data(), 0, nullptr, event.out());
    driver::disarm();
    failures += code != CL_SUCCESS;
    const test::Event last = spin_for(queue, 20);
    CL_OK(clEnqueueWriteBuffer(other, written, CL_FALSE, 0, kSize, second.data(), 1, last.list(), nullptr));
    CL_OK(clFinish(other));
    CL_OK(clFinish(queue));
    EXPECT_EQ(contents(written, kSize), second);
    if (code == CL_SUCCESS) EXPECT_EQ(host, first);
  }
  EXPECT_GT(failures, 0);
}

// A blocking read fails after its copy has been enqueued: the call returns only when the copy no longer writes to the application's memory.
TEST_F(RefusalsOfBusyQueues, WaitForACopyToTheApplication) {
  constexpr std::size_t kSize = 32 << 10;
  const test::Buffer buffer = make_buffer(test::random_values(kSize));
  std::vector<std::uint8_t> host(kSize);
  int failures = 0;
  for (std::uint64_t call = 1; call <= 4; ++call) {
    SCOPED_TRACE(call);
    spin_for(queue, 100);
    driver::arm({.call = call, .error = CUDA_ERROR_NOT_SUPPORTED, .function = "cuEventRecord"});
    const cl_int code =
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kSize, host.data(), 0, nullptr, nullptr);
    driver::disarm();
    failures += code != CL_SUCCESS;
    const std::vector<std::uint8_t> own(kSize, static_cast<std::uint8_t>(call));
    host = own;
    CL_OK(clFinish(queue));
    EXPECT_TRUE(host == own);
  }
  EXPECT_GT(failures, 0);
}

// Held reads that are released at once take no more page-locked memory than other reads.
TEST_F(CommandRefusals, HeldReadsTakeABoundedAmountOfMemory) {
  constexpr std::size_t kSize = 128 << 10, kCount = 1600, kBlock = 1 << 20, kBound = 80;
  const auto blocks = [] { return driver::things().at("blocks of host memory"); };
  const auto bytes = test::random_values(kSize);
  const test::Buffer buffer = make_buffer(bytes);
  const test::Event gate = make_user_event();
  std::vector<std::vector<std::uint8_t>> read(kCount, std::vector<std::uint8_t>(kSize));
  const long before = blocks();
  for (auto& host : read)
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kSize, host.data(), 1, gate.list(), nullptr));
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(queue));
  EXPECT_LT(blocks() - before, static_cast<long>(kBound)) << "of " << kCount * kSize / kBlock;
  for (const auto& host : read) ASSERT_TRUE(host == bytes);
}

}  // namespace
}  // namespace faults
