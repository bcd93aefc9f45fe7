// SPDX-License-Identifier: Apache-2.0
// clEnqueueMapBuffer and clEnqueueUnmapMemObject.
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "support/gate.h"
#include "support/wait_list.h"

namespace {

class MapBuffer : public test::WaitListTest {
 protected:
  std::uint8_t* map(cl_mem buffer, cl_map_flags flags, std::size_t offset, std::size_t size,
                    cl_int expected = CL_SUCCESS) {
    cl_int error = CL_SUCCESS;
    void* mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &error);
    CL_EXPECT(expected, error);
    return static_cast<std::uint8_t*>(mapped);
  }
  void unmap(cl_mem buffer, void* mapped) {
    CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  }
  cl_uint map_count(cl_mem buffer) {
    cl_uint count = 0;
    CL_EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr));
    return count;
  }
};

// For each kind of buffer, small and large.
TEST_F(MapBuffer, ReadsAndWritesThroughTheMapping) {
  for (const std::size_t size : {1000ul, 2'000'000ul}) {
    std::vector<std::uint8_t> host(size);
    for (const cl_mem_flags flags :
         {cl_mem_flags{0}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
      const test::Buffer buffer =
          make_buffer(size, flags, flags & CL_MEM_USE_HOST_PTR ? host.data() : nullptr);
      auto bytes = test::random_values(size);
      CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr));
      std::uint8_t* mapped = map(buffer, CL_MAP_READ | CL_MAP_WRITE, 100, size - 100);
      ASSERT_NE(mapped, nullptr);
      EXPECT_EQ(map_count(buffer), 1u);
      if (flags & CL_MEM_USE_HOST_PTR) EXPECT_EQ(mapped, host.data() + 100);
      EXPECT_EQ(std::memcmp(mapped, bytes.data() + 100, size - 100), 0);
      for (std::size_t i = 0; i < size - 100; i += 7)
        mapped[i] = bytes[100 + i] = static_cast<std::uint8_t>(i);
      unmap(buffer, mapped);
      EXPECT_EQ(map_count(buffer), 0u);
      EXPECT_TRUE(contents(buffer, size) == bytes);
    }
  }
}

TEST_F(MapBuffer, WriteInvalidateReplacesTheRegion) {
  auto bytes = test::random_values(1000);
  const test::Buffer buffer = make_buffer(bytes);
  const auto news = test::random_values(300);
  std::uint8_t* mapped = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 200, 300);
  std::memcpy(mapped, news.data(), news.size());
  unmap(buffer, mapped);
  std::copy(news.begin(), news.end(), bytes.begin() + 200);
  EXPECT_EQ(contents(buffer, 1000), bytes);
}

TEST_F(MapBuffer, OverlappingMapsForReading) {
  const auto bytes = test::random_values(1000);
  const test::Buffer buffer = make_buffer(bytes, CL_MEM_ALLOC_HOST_PTR);
  std::uint8_t* first = map(buffer, CL_MAP_READ, 0, 600);
  std::uint8_t* second = map(buffer, CL_MAP_READ, 400, 600);
  EXPECT_EQ(map_count(buffer), 2u);
  EXPECT_EQ(std::memcmp(first, bytes.data(), 600), 0);
  EXPECT_EQ(std::memcmp(second, bytes.data() + 400, 600), 0);
  unmap(buffer, first);
  EXPECT_EQ(std::memcmp(second, bytes.data() + 400, 600), 0);
  unmap(buffer, second);
}

// A sub-buffer shares its buffer's host memory (section 5.2.1: a sub-buffer inherits CL_MEM_ALLOC_HOST_PTR).
TEST_F(MapBuffer, SubBuffersShareTheHostMemory) {
  constexpr std::size_t kSize = 1 << 16, kOrigin = 4096, kLength = 1000, kOffset = 24;
  const auto bytes = test::random_values(kSize);
  const test::Buffer buffer = make_buffer(kSize, CL_MEM_ALLOC_HOST_PTR);
  CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kSize, bytes.data(), 0, nullptr, nullptr));
  const cl_buffer_region region{kOrigin, kLength};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  std::uint8_t* const whole = map(buffer, CL_MAP_READ, 0, kSize);
  std::uint8_t* const within = map(part, CL_MAP_READ, kOffset, kLength - kOffset);
  EXPECT_EQ(whole + kOrigin + kOffset, within);
  EXPECT_EQ(std::memcmp(within, bytes.data() + kOrigin + kOffset, kLength - kOffset), 0);
  unmap(part, within);
  unmap(buffer, whole);
}

TEST_F(MapBuffer, OverlappingMapsForWritingAreRefused) {
  const test::Buffer buffer = make_buffer(4096);
  std::uint8_t* first = map(buffer, CL_MAP_WRITE, 0, 600);
  map(buffer, CL_MAP_WRITE, 599, 10, CL_INVALID_OPERATION);
  const cl_buffer_region region{512, 512};
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  map(part, CL_MAP_WRITE, 0, 10, CL_INVALID_OPERATION);
  std::uint8_t* second = map(part, CL_MAP_WRITE, 88, 10);
  unmap(buffer, first);
  unmap(part, second);
  unmap(buffer, map(buffer, CL_MAP_WRITE, 0, 4096));
}

// A non-blocking map returns the pointer while the command is held by a user event.
TEST_F(MapBuffer, AsynchronousMapIsHeldByItsWaitList) {
  const auto bytes = test::random_values(1000);
  const test::Buffer buffer = make_buffer(bytes);
  const test::Event gate = make_user_event();
  test::Event ready;
  cl_int error = CL_SUCCESS;
  const void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, 1000, 1, gate.list(), ready.out(), &error);
  CL_OK(error);
  ASSERT_NE(mapped, nullptr);
  EXPECT_GT(test::status_of(ready), CL_COMPLETE);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, ready.list()));
  EXPECT_EQ(std::memcmp(mapped, bytes.data(), 1000), 0);
  unmap(buffer, const_cast<void*>(mapped));
}

// Several maps may be held at once, and an unmap may be enqueued before its map has run.
TEST_F(MapBuffer, UnmapsFollowMapsThatAreHeld) {
  constexpr std::size_t kParts = 3, kPart = 1000;
  const auto bytes = test::random_values(kParts * kPart);
  const test::Buffer buffer = make_buffer(bytes);
  const test::Event gate = make_user_event();
  std::array<test::Event, 2 * kParts> events;
  for (std::size_t i = 0; i < kParts; ++i) {
    cl_int error = CL_SUCCESS;
    void* mapped = clEnqueueMapBuffer(queue, buffer, CL_FALSE, i == 0 ? CL_MAP_WRITE : CL_MAP_READ, i * kPart,
                                      kPart, 1, gate.list(), events[2 * i].out(), &error);
    CL_OK(error);
    CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 1, events[2 * i].list(), events[2 * i + 1].out()));
  }
  for (const test::Event& event : events) EXPECT_GT(test::status_of(event), CL_COMPLETE);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(queue));
  for (const test::Event& event : events) EXPECT_EQ(test::status_of(event), CL_COMPLETE);
  cl_uint maps = 1;
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr));
  EXPECT_EQ(maps, 0u);
  EXPECT_EQ(contents(buffer, bytes.size()), bytes);
}

TEST_F(MapBuffer, Errors) {
  const test::Buffer buffer = make_buffer(100), unread = make_buffer(100, CL_MEM_HOST_WRITE_ONLY),
                     unwritten = make_buffer(100, CL_MEM_HOST_READ_ONLY),
                     untouched = make_buffer(100, CL_MEM_HOST_NO_ACCESS);
  map(nullptr, CL_MAP_READ, 0, 1, CL_INVALID_MEM_OBJECT);
  map(buffer, CL_MAP_READ, 0, 101, CL_INVALID_VALUE);
  map(buffer, CL_MAP_READ, 1, ~std::size_t{0}, CL_INVALID_VALUE);
  map(buffer, CL_MAP_READ, 0, 0, CL_INVALID_VALUE);
  map(buffer, 1 << 10, 0, 1, CL_INVALID_VALUE);
  map(buffer, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, CL_INVALID_VALUE);
  map(unread, CL_MAP_READ, 0, 1, CL_INVALID_OPERATION);
  map(unwritten, CL_MAP_WRITE, 0, 1, CL_INVALID_OPERATION);
  map(untouched, CL_MAP_READ, 0, 1, CL_INVALID_OPERATION);
  int anything = 0;
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, &anything, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, nullptr, &anything, 0, nullptr, nullptr));
  std::uint8_t* mapped = map(buffer, CL_MAP_READ, 0, 1);
  unmap(buffer, mapped);
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
}

// A blocking map whose wait list fails maps nothing, so that the region can be mapped again.
TEST_F(MapBuffer, BlockingFailsWithItsWaitList) {
  const test::Buffer buffer = make_buffer(100);
  const test::Event failed = make_user_event();
  CL_OK(clSetUserEventStatus(failed, -5));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 100, 1, failed.list(),
                                        nullptr, &error));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, error);
  unmap(buffer, map(buffer, CL_MAP_WRITE, 0, 100));
}

// Section 5.5.4: a write may read mapped memory. The unmap is ordered behind it, so no other map may be given the memory before.
TEST_F(MapBuffer, MemoryIsLeftToEarlierWrites) {
  constexpr std::size_t kSize = 4096;
  const test::Program program = build(test::Gate::kSource);
  const test::Kernel hold = make_kernel(program, "hold");
  const test::Queue other = make_queue(0);
  const test::Buffer from = make_buffer(test::random_values(kSize)), to = make_buffer(kSize),
                     third = make_buffer(kSize);
  const auto expected = contents(from, kSize);
  std::uint8_t* const mapped = map(from, CL_MAP_READ, 0, kSize);
  test::Gate gate(context, hold, queue);
  if (!gate) GTEST_SKIP() << "needs fine-grained shared virtual memory with atomics";
  CL_OK(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, kSize, mapped, 0, nullptr, nullptr));
  unmap(from, mapped);
  CL_OK(clFlush(queue));
  // Memory that is free is taken again after a while.
  for (int round = 0; round < 30; ++round) {
    cl_int error = 1;
    void* const later = clEnqueueMapBuffer(other, third, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, kSize, 0,
                                           nullptr, nullptr, &error);
    CL_OK(error);
    std::memset(later, 0, kSize);
    CL_OK(clEnqueueUnmapMemObject(other, third, later, 0, nullptr, nullptr));
    CL_OK(clFinish(other));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  gate.open();
  EXPECT_EQ(contents(to, kSize), expected);
}

TEST_F(MapBuffer, WaitListOfMap) {
  const test::Buffer buffer = make_buffer(1000);
  check_wait_list(CL_COMMAND_MAP_BUFFER, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                             cl_event* event) {
    cl_int error = CL_SUCCESS;
    clEnqueueMapBuffer(tested, buffer, CL_FALSE, CL_MAP_READ, 0, 1000, count, waits, event, &error);
    return error;
  });
}

TEST_F(MapBuffer, WaitListOfUnmap) {
  const test::Buffer buffer = make_buffer(1000);
  check_wait_list(CL_COMMAND_UNMAP_MEM_OBJECT, [&](cl_command_queue tested, cl_uint count,
                                                   const cl_event* waits, cl_event* event) {
    void* mapped = map(buffer, CL_MAP_READ, 0, 1000);
    const cl_int result = clEnqueueUnmapMemObject(tested, buffer, mapped, count, waits, event);
    if (result != CL_SUCCESS) unmap(buffer, mapped);
    return result;
  });
}

}  // namespace
