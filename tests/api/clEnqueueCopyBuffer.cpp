// SPDX-License-Identifier: Apache-2.0
#include "support/wait_list.h"

namespace {

class CopyBuffer : public test::WaitListTest {};

TEST_F(CopyBuffer, BytesArrive) {
  const auto from_bytes = test::random_values(100'000), to_bytes = test::random_values(100'000);
  const test::Buffer from = make_buffer(from_bytes), to = make_buffer(to_bytes);
  CL_OK(clEnqueueCopyBuffer(queue, from, to, 333, 4444, 50'000, 0, nullptr, nullptr));
  auto expected = to_bytes;
  std::copy_n(from_bytes.begin() + 333, 50'000, expected.begin() + 4444);
  EXPECT_EQ(contents(to, 100'000), expected);
}

TEST_F(CopyBuffer, WithinOneBuffer) {
  const auto bytes = test::random_values(1000);
  const test::Buffer buffer = make_buffer(bytes);
  CL_OK(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 500, 500, 0, nullptr, nullptr));
  auto expected = bytes;
  std::copy_n(bytes.begin(), 500, expected.begin() + 500);
  EXPECT_EQ(contents(buffer, 1000), expected);
}

TEST_F(CopyBuffer, Errors) {
  const test::Buffer a = make_buffer(1024), b = make_buffer(1024);
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Buffer foreign = clCreateBuffer(other, 0, 1024, nullptr, nullptr);
  const auto copy = [&](cl_mem from, cl_mem to, std::size_t from_offset, std::size_t to_offset,
                        std::size_t size) {
    return clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(nullptr, b, 0, 0, 1));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(a, nullptr, 0, 0, 1));
  CL_EXPECT(CL_INVALID_CONTEXT, copy(foreign, b, 0, 0, 1));
  CL_EXPECT(CL_INVALID_CONTEXT, copy(a, foreign, 0, 0, 1));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, 1, 0, 1024));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, 0, 1, 1024));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, 1, 1, ~std::size_t{0}));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(a, a, 0, 99, 100));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(a, a, 99, 0, 100));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(a, a, 0, 0, 100));
  CL_EXPECT(CL_SUCCESS, copy(a, a, 0, 100, 100));
  const cl_buffer_region left{0, 512}, right{256, 512};
  const test::Buffer first = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &left, nullptr);
  const test::Buffer second = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &right, nullptr);
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(first, second, 200, 0, 100));
  CL_EXPECT(CL_SUCCESS, copy(first, second, 0, 0, 256));
}

TEST_F(CopyBuffer, WaitList) {
  const test::Buffer a = make_buffer(1024), b = make_buffer(1024);
  check_wait_list(CL_COMMAND_COPY_BUFFER,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueCopyBuffer(tested, a, b, 0, 0, 1024, count, waits, event);
                  });
}

}  // namespace
