// SPDX-License-Identifier: Apache-2.0
#include "support/wait_list.h"

namespace {

class FillBuffer : public test::WaitListTest {};

TEST_F(FillBuffer, EveryPatternSize) {
  for (std::size_t pattern_size = 1; pattern_size <= 128; pattern_size *= 2) {
    for (const std::size_t count : {1ul, 3ul, 1000ul, 5001ul}) {
      const auto pattern = test::random_values(pattern_size);
      auto expected = test::random_values((count + 2) * pattern_size);
      const test::Buffer buffer = make_buffer(expected);
      CL_OK(clEnqueueFillBuffer(queue, buffer, pattern.data(), pattern_size, pattern_size,
                                count * pattern_size, 0, nullptr, nullptr));
      for (std::size_t i = 0; i < count; ++i)
        std::copy(pattern.begin(), pattern.end(), expected.begin() + (i + 1) * pattern_size);
      ASSERT_EQ(contents(buffer, expected.size()), expected) << pattern_size << " × " << count;
    }
  }
}

// Offsets and sizes have 64 bits.
TEST_F(FillBuffer, BeyondTwoGigabytes) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  cl_ulong memory = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr));
  if (type != CL_DEVICE_TYPE_GPU || memory < (std::size_t{16} << 30))
    GTEST_SKIP() << "needs 5 GiB of a GPU's memory";
  constexpr std::size_t kSize = (std::size_t{5} << 30) + 4096;
  const test::Buffer buffer = make_buffer(kSize);
  for (const std::size_t pattern_size : {1, 4, 16, 128}) {
    const auto pattern = test::random_values(pattern_size);
    CL_OK(clEnqueueFillBuffer(queue, buffer, pattern.data(), pattern_size, 0, kSize, 0, nullptr, nullptr));
    for (const std::size_t place :
         {std::size_t{0}, std::size_t{2} << 30, std::size_t{4} << 30, kSize - pattern_size}) {
      std::vector<std::uint8_t> found(pattern_size);
      CL_OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, place, pattern_size, found.data(), 0, nullptr,
                                nullptr));
      EXPECT_EQ(pattern, found) << place;
    }
  }
}

TEST_F(FillBuffer, PatternIsTakenAtOnce) {
  const test::Buffer buffer = make_buffer(64);
  const test::Event gate = make_user_event();
  cl_uint pattern = 0x01020304;
  CL_OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, 64, 1, gate.list(), nullptr));
  pattern = 0;
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(contents<cl_uint>(buffer, 16), std::vector<cl_uint>(16, 0x01020304));
}

TEST_F(FillBuffer, Errors) {
  const test::Buffer buffer = make_buffer(1024);
  const auto pattern = test::random_values(256);
  const auto fill = [&](cl_mem memory, const void* with, std::size_t pattern_size, std::size_t offset,
                        std::size_t size) {
    return clEnqueueFillBuffer(queue, memory, with, pattern_size, offset, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, fill(buffer, pattern.data(), 16, 0, 0));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, fill(nullptr, pattern.data(), 1, 0, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, nullptr, 1, 0, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 0, 0, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 3, 0, 3));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 256, 0, 256));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 4, 2, 4));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 4, 4, 6));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 4, 1024, 4));
  CL_EXPECT(CL_INVALID_VALUE, fill(buffer, pattern.data(), 4, 4, ~std::size_t{3}));
}

TEST_F(FillBuffer, WaitList) {
  const test::Buffer buffer = make_buffer(1024);
  check_wait_list(CL_COMMAND_FILL_BUFFER,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueFillBuffer(tested, buffer, "abcdefgh", 8, 0, 1024, count, waits, event);
                  });
}

}  // namespace
