// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadBuffer and clEnqueueWriteBuffer.
#include "support/wait_list.h"

namespace {

class ReadWriteBuffer : public test::WaitListTest {};

// Pageable host memory, with sizes around the limits between the transfer methods.
TEST_F(ReadWriteBuffer, BytesArrive) {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Queue tested = make_queue(properties);
    for (const std::size_t size : {1ul, 77ul, 262'144ul, 262'145ul, 5'000'003ul, 40'000'000ul}) {
      const test::Buffer buffer = make_buffer(size + 10);
      for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
        const auto bytes = test::random_values(size);
        std::vector<std::uint8_t> seen(size);
        test::Event written, read;
        CL_OK(clEnqueueWriteBuffer(tested, buffer, blocking, 10, size, bytes.data(), 0, nullptr,
                                   written.out()));
        CL_OK(clEnqueueReadBuffer(tested, buffer, blocking, 10, size, seen.data(), 1, written.list(),
                                  read.out()));
        if (blocking) EXPECT_EQ(test::status_of(read), CL_COMPLETE);
        CL_OK(clWaitForEvents(1, read.list()));
        ASSERT_TRUE(seen == bytes) << size << (blocking ? " blocking" : " not blocking");
      }
    }
  }
}

// Mapped memory is page-locked. Transfers without an event take the shortest path, and must still be ordered.
TEST_F(ReadWriteBuffer, PageLockedMemory) {
  constexpr std::size_t kSize = 100'000;
  const test::Buffer host = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, kSize, nullptr, nullptr);
  auto* memory = static_cast<std::uint8_t*>(clEnqueueMapBuffer(
      queue, host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kSize, 0, nullptr, nullptr, nullptr));
  ASSERT_NE(memory, nullptr);
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Queue tested = make_queue(properties);
    for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
      const auto bytes = test::random_values(kSize);
      const test::Buffer buffer = make_buffer(bytes), copied = make_buffer(kSize);
      const auto settle = [&] { CL_OK(clEnqueueBarrierWithWaitList(tested, 0, nullptr, nullptr)); };
      CL_OK(clEnqueueReadBuffer(tested, buffer, blocking, 0, kSize, memory, 0, nullptr, nullptr));
      if (blocking) EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), memory));
      settle();
      CL_OK(clEnqueueWriteBuffer(tested, buffer, blocking, 1, kSize - 1, memory, 0, nullptr, nullptr));
      settle();
      CL_OK(clEnqueueCopyBuffer(tested, buffer, copied, 1, 0, kSize - 1, 0, nullptr, nullptr));
      CL_OK(clFinish(tested));
      const auto seen = contents(copied, kSize - 1);
      EXPECT_TRUE(std::equal(seen.begin(), seen.end(), bytes.begin()));
    }
  }
  CL_OK(clEnqueueUnmapMemObject(queue, host, memory, 0, nullptr, nullptr));
}

// A transfer of page-locked memory does not overtake a held command in an in-order queue.
TEST_F(ReadWriteBuffer, PageLockedMemoryBehindWhatIsHeld) {
  const test::Buffer host = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 64, nullptr, nullptr);
  auto* memory = static_cast<std::uint8_t*>(clEnqueueMapBuffer(
      queue, host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, nullptr));
  ASSERT_NE(memory, nullptr);
  std::fill_n(memory, 64, 1);
  const test::Buffer buffer = make_buffer(64), copied = make_buffer(64);
  const test::Event gate = clCreateUserEvent(context, nullptr);
  const cl_uchar seven = 7;
  CL_OK(clEnqueueFillBuffer(queue, buffer, &seven, 1, 0, 64, 1, gate.list(), nullptr));
  CL_OK(clEnqueueCopyBuffer(queue, buffer, copied, 0, 0, 64, 0, nullptr, nullptr));
  CL_OK(clEnqueueReadBuffer(queue, copied, CL_FALSE, 0, 64, memory, 0, nullptr, nullptr));
  CL_OK(clFlush(queue));
  EXPECT_EQ(memory[0], 1);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(queue));
  EXPECT_TRUE(std::all_of(memory, memory + 64, [](std::uint8_t byte) { return byte == 7; }));
  CL_OK(clEnqueueUnmapMemObject(queue, host, memory, 0, nullptr, nullptr));
}

// In an in-order queue, a write may send the memory that an earlier non-blocking read fills.
TEST_F(ReadWriteBuffer, ReadThenWriteInOrder) {
  for (const std::size_t size : {1000ul, 3'000'000ul}) {
    const auto bytes = test::random_values(size);
    const test::Buffer from = make_buffer(bytes), to = make_buffer(size);
    std::vector<std::uint8_t> between(size), seen(size);
    CL_OK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, size, between.data(), 0, nullptr, nullptr));
    CL_OK(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, size, between.data(), 0, nullptr, nullptr));
    CL_OK(clEnqueueReadBuffer(queue, to, CL_FALSE, 0, size, seen.data(), 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
    EXPECT_TRUE(between == bytes);
    EXPECT_TRUE(seen == bytes);
  }
}

TEST_F(ReadWriteBuffer, ManySmallReadsEndInOrder) {
  constexpr int kCount = 300;
  const auto values = test::random_values<cl_uint>(kCount);
  const test::Buffer buffer = make_buffer(values);
  std::vector<cl_uint> seen(kCount);
  test::Event last;
  for (int i = 0; i < kCount; ++i)
    CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, i * sizeof(cl_uint), sizeof(cl_uint), &seen[i], 0,
                              nullptr, last.out()));
  // When the last event is complete, all earlier reads are complete.
  CL_OK(clWaitForEvents(1, last.list()));
  EXPECT_EQ(seen, values);
}

TEST_F(ReadWriteBuffer, NothingToTransfer) {
  const test::Buffer buffer = make_buffer(16);
  std::uint8_t byte = 1;
  CL_OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 16, 0, &byte, 0, nullptr, nullptr));
  CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 0, &byte, 0, nullptr, nullptr));
  EXPECT_EQ(byte, 1);
}

TEST_F(ReadWriteBuffer, Errors) {
  const test::Buffer buffer = make_buffer(100);
  const test::Buffer unread = make_buffer(100, CL_MEM_HOST_WRITE_ONLY),
                     unwritten = make_buffer(100, CL_MEM_HOST_READ_ONLY),
                     untouched = make_buffer(100, CL_MEM_HOST_NO_ACCESS);
  std::vector<std::uint8_t> host(100);
  const auto read = [&](cl_mem memory, std::size_t offset, std::size_t size, void* to) {
    return clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  };
  const auto write = [&](cl_mem memory, std::size_t offset, std::size_t size, void* from) {
    return clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, size, from, 0, nullptr, nullptr);
  };
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Buffer foreign = clCreateBuffer(other, 0, 100, nullptr, nullptr);
  for (const auto& call : {std::function(read), std::function(write)}) {
    CL_EXPECT(CL_INVALID_MEM_OBJECT, call(nullptr, 0, 1, host.data()));
    CL_EXPECT(CL_INVALID_MEM_OBJECT, call(reinterpret_cast<cl_mem>(host.data()), 0, 1, host.data()));
    CL_EXPECT(CL_INVALID_CONTEXT, call(foreign, 0, 1, host.data()));
    CL_EXPECT(CL_INVALID_VALUE, call(buffer, 0, 101, host.data()));
    CL_EXPECT(CL_INVALID_VALUE, call(buffer, 101, 0, host.data()));
    CL_EXPECT(CL_INVALID_VALUE, call(buffer, 1, ~std::size_t{0}, host.data()));
    CL_EXPECT(CL_INVALID_VALUE, call(buffer, 0, 1, nullptr));
    CL_EXPECT(CL_INVALID_OPERATION, call(untouched, 0, 1, host.data()));
  }
  CL_EXPECT(CL_INVALID_OPERATION, read(unread, 0, 1, host.data()));
  CL_EXPECT(CL_INVALID_OPERATION, write(unwritten, 0, 1, host.data()));
}

TEST_F(ReadWriteBuffer, BlockingFailsWithItsWaitList) {
  const test::Buffer buffer = make_buffer(100);
  std::uint8_t host[100] = {};
  const test::Event failed = make_user_event();
  CL_OK(clSetUserEventStatus(failed, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 100, host, 1, failed.list(), nullptr));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 100, host, 1, failed.list(), nullptr));
}

TEST_F(ReadWriteBuffer, WaitListOfSmallRead) {
  const test::Buffer buffer = make_buffer(100);
  std::uint8_t host[100];
  check_wait_list(CL_COMMAND_READ_BUFFER,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueReadBuffer(tested, buffer, CL_FALSE, 0, 100, host, count, waits, event);
                  });
}

TEST_F(ReadWriteBuffer, WaitListOfLargeRead) {
  constexpr std::size_t kSize = 3 << 20;
  const test::Buffer buffer = make_buffer(kSize);
  std::vector<std::uint8_t> host(kSize);
  check_wait_list(CL_COMMAND_READ_BUFFER, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                              cl_event* event) {
    return clEnqueueReadBuffer(tested, buffer, CL_FALSE, 0, kSize, host.data(), count, waits, event);
  });
}

TEST_F(ReadWriteBuffer, WaitListOfWrite) {
  for (const std::size_t size : {100ul, 3ul << 20}) {
    const test::Buffer buffer = make_buffer(size);
    const std::vector<std::uint8_t> host(size);
    check_wait_list(CL_COMMAND_WRITE_BUFFER, [&](cl_command_queue tested, cl_uint count,
                                                 const cl_event* waits, cl_event* event) {
      return clEnqueueWriteBuffer(tested, buffer, CL_FALSE, 0, size, host.data(), count, waits, event);
    });
  }
}

}  // namespace
