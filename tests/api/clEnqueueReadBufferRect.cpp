// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadBufferRect, clEnqueueWriteBufferRect and clEnqueueCopyBufferRect.
#include <algorithm>
#include <array>
#include <set>

#include "support/wait_list.h"

namespace {

using Size3 = std::array<std::size_t, 3>;

class BufferRect : public test::WaitListTest {
 protected:
  static std::size_t below(std::size_t bound) { return test::random_engine()() % bound; }

  // The layout of a box in memory.
  struct Box {
    Size3 origin;
    std::size_t row_pitch, slice_pitch;
    std::size_t at(std::size_t x, std::size_t y, std::size_t z) const {
      return (origin[2] + z) * slice_pitch + (origin[1] + y) * row_pitch + origin[0] + x;
    }
    std::size_t size_for(const Size3& region) const {
      return at(region[0] - 1, region[1] - 1, region[2] - 1) + 1;
    }
  };
  static Box random_box(const Size3& region) {
    Box box{.origin = {below(9), below(5), below(3)}};
    box.row_pitch = region[0] + below(3) * 4;
    box.slice_pitch = box.row_pitch * (region[1] + below(3));
    return box;
  }
  template <class Copy>
  static void for_each_byte(const Size3& region, Copy copy) {
    for (std::size_t z = 0; z < region[2]; ++z)
      for (std::size_t y = 0; y < region[1]; ++y)
        for (std::size_t x = 0; x < region[0]; ++x) copy(x, y, z);
  }
};

TEST_F(BufferRect, RandomBoxesGoAndCome) {
  for (int round = 0; round < 60; ++round) {
    const Size3 region = round % 10 == 9 ? Size3{1 + below(3000), 1 + below(300), 1 + below(3)}
                                         : Size3{1 + below(40), 1 + below(20), 1 + below(6)};
    const Box on_host = random_box(region), on_buffer = random_box(region), on_other = random_box(region);
    const cl_bool blocking = round % 2;
    auto host = test::random_values(on_host.size_for(region));
    auto expected = test::random_values(on_buffer.size_for(region)),
         other_expected = test::random_values(on_other.size_for(region));
    const test::Buffer buffer = make_buffer(expected), other = make_buffer(other_expected);
    for_each_byte(region, [&](auto... at) { expected[on_buffer.at(at...)] = host[on_host.at(at...)]; });
    for_each_byte(region, [&](auto... at) { other_expected[on_other.at(at...)] = host[on_host.at(at...)]; });

    CL_OK(clEnqueueWriteBufferRect(queue, buffer, blocking, on_buffer.origin.data(), on_host.origin.data(),
                                   region.data(), on_buffer.row_pitch, on_buffer.slice_pitch,
                                   on_host.row_pitch, on_host.slice_pitch, host.data(), 0, nullptr, nullptr));
    CL_OK(clEnqueueCopyBufferRect(queue, buffer, other, on_buffer.origin.data(), on_other.origin.data(),
                                  region.data(), on_buffer.row_pitch, on_buffer.slice_pitch,
                                  on_other.row_pitch, on_other.slice_pitch, 0, nullptr, nullptr));
    auto seen = test::random_values(host.size());
    auto seen_expected = seen;
    for_each_byte(region, [&](auto... at) { seen_expected[on_host.at(at...)] = host[on_host.at(at...)]; });
    CL_OK(clEnqueueReadBufferRect(queue, other, blocking, on_other.origin.data(), on_host.origin.data(),
                                  region.data(), on_other.row_pitch, on_other.slice_pitch, on_host.row_pitch,
                                  on_host.slice_pitch, seen.data(), 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
    ASSERT_TRUE(contents(buffer, expected.size()) == expected) << round;
    ASSERT_TRUE(contents(other, other_expected.size()) == other_expected) << round;
    ASSERT_TRUE(seen == seen_expected) << round;
  }
}

TEST_F(BufferRect, PitchesOfZeroAreTight) {
  const auto bytes = test::random_values(4 * 5 * 6);
  const test::Buffer buffer = make_buffer(bytes.size());
  const Size3 origin{0, 0, 0}, region{4, 5, 6};
  CL_OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin.data(), origin.data(), region.data(), 0, 0, 0,
                                 0, bytes.data(), 0, nullptr, nullptr));
  EXPECT_EQ(contents(buffer, bytes.size()), bytes);
}

TEST_F(BufferRect, TransferErrors) {
  const test::Buffer buffer = make_buffer(1000), untouched = make_buffer(1000, CL_MEM_HOST_NO_ACCESS);
  std::vector<std::uint8_t> host(1000);
  struct Arguments {
    cl_mem memory;
    Size3 buffer_origin{0, 0, 0}, host_origin{0, 0, 0}, region{10, 10, 10};
    std::size_t row = 0, slice = 0, host_row = 0, host_slice = 0;
    void* pointer;
  };
  const auto expect = [&](cl_int code, Arguments a) {
    CL_EXPECT(code, clEnqueueReadBufferRect(queue, a.memory, CL_TRUE, a.buffer_origin.data(),
                                            a.host_origin.data(), a.region.data(), a.row, a.slice, a.host_row,
                                            a.host_slice, a.pointer, 0, nullptr, nullptr));
    CL_EXPECT(code, clEnqueueWriteBufferRect(queue, a.memory, CL_TRUE, a.buffer_origin.data(),
                                             a.host_origin.data(), a.region.data(), a.row, a.slice,
                                             a.host_row, a.host_slice, a.pointer, 0, nullptr, nullptr));
  };
  const Arguments good{.memory = buffer, .pointer = host.data()};
  const auto with = [&](auto change) {
    Arguments a = good;
    change(a);
    return a;
  };
  const std::size_t huge = ~std::size_t{0};
  expect(CL_SUCCESS, good);
  expect(CL_INVALID_MEM_OBJECT, with([](auto& a) { a.memory = nullptr; }));
  expect(CL_INVALID_OPERATION, with([&](auto& a) { a.memory = untouched; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.pointer = nullptr; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.region[1] = 0; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.buffer_origin[0] = 1; }));
  expect(CL_INVALID_VALUE, with([&](auto& a) { a.buffer_origin[2] = huge; }));
  expect(CL_INVALID_VALUE, with([&](auto& a) { a.host_origin[1] = huge; }));
  expect(CL_INVALID_VALUE, with([&](auto& a) { a.region = {huge, 1, 1}; }));
  expect(CL_INVALID_VALUE,
         with([&](auto& a) { a.region = {std::size_t{1} << 32, std::size_t{1} << 31, 4}; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.row = 9; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.host_row = 9; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.host_row = std::size_t{1} << 56; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.slice = 99; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.host_slice = 99; }));
  expect(CL_INVALID_VALUE, with([](auto& a) { a.host_slice = 105; }));
  const Size3 zero{0, 0, 0}, one{1, 1, 1};
  CL_EXPECT(CL_INVALID_VALUE,
            clEnqueueReadBufferRect(queue, buffer, CL_TRUE, nullptr, zero.data(), one.data(), 0, 0, 0, 0,
                                    host.data(), 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero.data(), zero.data(),
                                                      nullptr, 0, 0, 0, 0, host.data(), 0, nullptr, nullptr));
}

// Overlap of two boxes in one buffer, compared with sets of byte positions.
TEST_F(BufferRect, OverlapIsSeenExactly) {
  constexpr std::size_t kRow = 11, kRows = 7, kSlices = 5;
  const test::Buffer buffer = make_buffer(kRow * kRows * kSlices);
  int overlapping = 0;
  for (int round = 0; round < 1500; ++round) {
    const Size3 region{1 + below(6), 1 + below(4), 1 + below(3)};
    const auto origin = [&] {
      return Size3{below(kRow - region[0] + 1), below(kRows - region[1] + 1), below(kSlices - region[2] + 1)};
    };
    const Box from{origin(), kRow, kRow * kRows}, to{origin(), kRow, kRow * kRows};
    std::set<std::size_t> source;
    for_each_byte(region, [&](auto... at) { source.insert(from.at(at...)); });
    bool overlap = false;
    for_each_byte(region, [&](auto... at) { overlap |= source.contains(to.at(at...)); });
    overlapping += overlap;
    ASSERT_EQ(test::error_name(overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS),
              test::error_name(clEnqueueCopyBufferRect(queue, buffer, buffer, from.origin.data(),
                                                       to.origin.data(), region.data(), kRow, kRow * kRows,
                                                       kRow, kRow * kRows, 0, nullptr, nullptr)));
  }
  EXPECT_GT(overlapping, 0);
}

// The same between sub-buffers, whose boxes may have different pitches.
TEST_F(BufferRect, OverlapOfSubBuffersIsSeenExactly) {
  constexpr std::size_t kSize = 4096;
  const test::Buffer buffer = make_buffer(kSize);
  cl_uint alignment = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, nullptr));
  const std::size_t distance = alignment / 8;
  ASSERT_LT(distance, kSize / 2);
  const auto part = [&](std::size_t origin) {
    const cl_buffer_region region{origin, kSize - distance};
    cl_int error = 1;
    test::Buffer made = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  };
  const test::Buffer first = part(0), second = part(distance);
  int overlapping = 0, apart = 0;
  for (int round = 0; round < 1500; ++round) {
    const Size3 region{1 + below(40), 1 + below(4), 1 + below(3)};
    const auto box = [&] {
      const std::size_t row = region[0] + below(60);
      return Box{{below(distance), 0, 0}, row, row * (region[1] + below(3))};
    };
    const Box from = box(), to = box();
    std::set<std::size_t> source;
    for_each_byte(region, [&](auto... at) { source.insert(from.at(at...)); });
    bool overlap = false;
    for_each_byte(region, [&](auto... at) { overlap |= source.contains(distance + to.at(at...)); });
    ++(overlap ? overlapping : apart);
    ASSERT_EQ(test::error_name(overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS),
              test::error_name(clEnqueueCopyBufferRect(
                  queue, first, second, from.origin.data(), to.origin.data(), region.data(), from.row_pitch,
                  from.slice_pitch, to.row_pitch, to.slice_pitch, 0, nullptr, nullptr)));
  }
  EXPECT_GT(overlapping, 0);
  EXPECT_GT(apart, 0);
}

// Rows that leave short pieces, by as many threads as there are. From 8 processors on, they have more places than full pieces would fill.
TEST_F(BufferRect, LargeRowsWithShortRests) {
  // So much has been transferred then that page-locked memory for all threads is worth its time.
  const std::vector<std::uint8_t> much(std::size_t{64} << 20);
  const test::Buffer large = make_buffer(much.size());
  for (int i = 0; i < 3; ++i)
    CL_OK(clEnqueueWriteBuffer(queue, large, CL_TRUE, 0, much.size(), much.data(), 0, nullptr, nullptr));
  for (const auto& [row, rows] :
       {std::pair<std::size_t, std::size_t>{1153434, 10}, {700001, 9}, {200000, 30}}) {
    const std::size_t pitch = row + 13;
    const Size3 zero{0, 0, 0}, region{row, rows, 1};
    const auto given = test::random_values(pitch * rows);
    const test::Buffer buffer = make_buffer(row * rows);
    CL_OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, zero.data(), zero.data(), region.data(), row, 0,
                                   pitch, 0, given.data(), 0, nullptr, nullptr));
    std::vector<std::uint8_t> expected(given.size(), 7), found = expected;
    for (std::size_t y = 0; y < rows; ++y)
      std::copy_n(given.data() + y * pitch, row, expected.data() + y * pitch);
    CL_OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero.data(), zero.data(), region.data(), row, 0,
                                  pitch, 0, found.data(), 0, nullptr, nullptr));
    EXPECT_TRUE(expected == found) << row << " bytes, " << rows << " rows";
  }
}

TEST_F(BufferRect, CopyErrors) {
  const test::Buffer a = make_buffer(1000), b = make_buffer(1000);
  const Size3 zero{0, 0, 0}, region{10, 10, 10};
  const auto copy = [&](cl_mem from, cl_mem to, const std::size_t* size, std::size_t from_row,
                        std::size_t to_row) {
    return clEnqueueCopyBufferRect(queue, from, to, zero.data(), zero.data(), size, from_row, 0, to_row, 0, 0,
                                   nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, copy(a, b, region.data(), 0, 0));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(nullptr, b, region.data(), 0, 0));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, copy(a, nullptr, region.data(), 0, 0));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, nullptr, 0, 0));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, region.data(), 11, 0));
  CL_EXPECT(CL_INVALID_VALUE, copy(a, b, region.data(), 0, 9));
  const Size3 row{10, 2, 1};
  CL_EXPECT(CL_INVALID_VALUE, copy(a, a, row.data(), 20, 30));
}

TEST_F(BufferRect, BlockingFailsWithItsWaitList) {
  const test::Buffer buffer = make_buffer(64);
  const std::size_t origin[3] = {}, region[3] = {4, 4, 1};
  std::uint8_t host[64] = {};
  const test::Event failed = make_user_event();
  CL_OK(clSetUserEventStatus(failed, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, 1,
                                    failed.list(), nullptr));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, 1,
                                     failed.list(), nullptr));
}

TEST_F(BufferRect, WaitLists) {
  const test::Buffer a = make_buffer(1000), b = make_buffer(1000);
  std::vector<std::uint8_t> host(1000);
  const Size3 zero{0, 0, 0}, region{10, 10, 2};
  check_wait_list(CL_COMMAND_READ_BUFFER_RECT, [&](cl_command_queue tested, cl_uint count,
                                                   const cl_event* waits, cl_event* event) {
    return clEnqueueReadBufferRect(tested, a, CL_FALSE, zero.data(), zero.data(), region.data(), 11, 0, 0, 0,
                                   host.data(), count, waits, event);
  });
  check_wait_list(CL_COMMAND_WRITE_BUFFER_RECT, [&](cl_command_queue tested, cl_uint count,
                                                    const cl_event* waits, cl_event* event) {
    return clEnqueueWriteBufferRect(tested, a, CL_FALSE, zero.data(), zero.data(), region.data(), 11, 0, 0, 0,
                                    host.data(), count, waits, event);
  });
  check_wait_list(CL_COMMAND_COPY_BUFFER_RECT,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueCopyBufferRect(tested, a, b, zero.data(), zero.data(), region.data(), 11,
                                                   0, 12, 0, count, waits, event);
                  });
}

}  // namespace
