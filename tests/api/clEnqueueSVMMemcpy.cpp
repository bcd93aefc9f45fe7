// SPDX-License-Identifier: Apache-2.0
#include "svm_test.h"

namespace {

class SvmMemcpy : public test::SvmTest {};

// Copies between SVM allocations and pageable host memory, small and large.
TEST_F(SvmMemcpy, BetweenAllKindsOfMemory) {
  for (const std::size_t size : {1ul, 100ul, 300'000ul, 5'000'000ul}) {
    const test::Svm a = allocate(size + 16), b = allocate(size + 16);
    const auto values = test::random_values(size);
    std::vector<std::uint8_t> between(size), back(size);
    CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, a.as<char>() + 3, values.data(), size, 0, nullptr, nullptr));
    CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b.as<char>() + 5, a.as<char>() + 3, size, 0, nullptr, nullptr));
    CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, between.data(), b.as<char>() + 5, size, 0, nullptr, nullptr));
    CL_OK(clEnqueueSVMMemcpy(queue, CL_TRUE, back.data(), between.data(), size, 0, nullptr, nullptr));
    ASSERT_EQ(back, values) << size;
  }
}

TEST_F(SvmMemcpy, NothingToCopy) {
  const test::Svm memory = allocate(16);
  CL_EXPECT(CL_SUCCESS,
            clEnqueueSVMMemcpy(queue, CL_TRUE, memory.get(), memory.as<char>() + 8, 0, 0, nullptr, nullptr));
}

TEST_F(SvmMemcpy, Errors) {
  const test::Svm memory = allocate(1024);
  char host[64] = {};
  const auto copy = [&](void* to, const void* from, std::size_t size) {
    return clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, copy(nullptr, host, 1));
  CL_EXPECT(CL_INVALID_VALUE, copy(host, nullptr, 1));
  CL_EXPECT(CL_INVALID_VALUE, copy(memory.as<char>() + 1000, host, 25));
  CL_EXPECT(CL_INVALID_VALUE, copy(host, memory.as<char>() + 1000, 25));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.get(), memory.get(), 1));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.as<char>() + 31, memory.get(), 32));
  CL_EXPECT(CL_MEM_COPY_OVERLAP, copy(memory.get(), memory.as<char>() + 31, 32));
  CL_EXPECT(CL_SUCCESS, copy(memory.get(), memory.as<char>() + 32, 32));
  const test::Event gate = make_user_event();
  CL_OK(clSetUserEventStatus(gate, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSVMMemcpy(queue, CL_TRUE, memory.get(), host, 1, 1, gate.list(), nullptr));
}

TEST_F(SvmMemcpy, WaitList) {
  const test::Svm memory = allocate(1024);
  std::vector<char> host(512), other(512);
  const auto check = [&](void* to, const void* from) {
    check_wait_list(CL_COMMAND_SVM_MEMCPY,
                    [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                      return clEnqueueSVMMemcpy(tested, CL_FALSE, to, from, 512, count, waits, event);
                    });
  };
  check(memory.get(), memory.as<char>() + 512);
  check(memory.get(), host.data());
  check(other.data(), host.data());
}

class SvmMemFill : public test::SvmTest {};

TEST_F(SvmMemFill, EveryPatternSize) {
  for (std::size_t pattern_size = 1; pattern_size <= 128; pattern_size *= 2)
    for (const std::size_t count : {1ul, 3ul, 1000ul}) {
      const auto pattern = test::random_values(pattern_size);
      auto expected = test::random_values((count + 2) * pattern_size);
      const test::Svm memory = allocate(expected.size());
      write(memory, expected);
      CL_OK(clEnqueueSVMMemFill(queue, memory.as<char>() + pattern_size, pattern.data(), pattern_size,
                                count * pattern_size, 0, nullptr, nullptr));
      for (std::size_t i = 0; i < count; ++i)
        std::copy(pattern.begin(), pattern.end(), expected.begin() + (i + 1) * pattern_size);
      ASSERT_EQ(read<std::uint8_t>(memory, expected.size()), expected) << pattern_size << " × " << count;
    }
}

TEST_F(SvmMemFill, MemoryOfTheHost) {
  if (!has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) GTEST_SKIP() << "no fine-grained system memory";
  std::vector<cl_ulong> values(100, 1);
  const cl_ulong pattern = test::random_engine()();
  CL_OK(clEnqueueSVMMemFill(queue, values.data() + 1, &pattern, sizeof pattern, 98 * sizeof pattern, 0,
                            nullptr, nullptr));
  CL_OK(clFinish(queue));
  std::vector<cl_ulong> expected(100, pattern);
  expected.front() = expected.back() = 1;
  EXPECT_EQ(values, expected);
}

TEST_F(SvmMemFill, Errors) {
  const test::Svm memory = allocate(1024);
  const auto pattern = test::random_values(256);
  const auto fill = [&](void* to, const void* with, std::size_t pattern_size, std::size_t size) {
    return clEnqueueSVMMemFill(queue, to, with, pattern_size, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, fill(memory.get(), pattern.data(), 16, 0));
  CL_EXPECT(CL_INVALID_VALUE, fill(nullptr, pattern.data(), 1, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), nullptr, 1, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 0, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 3, 3));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 256, 256));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.as<char>() + 2, pattern.data(), 4, 4));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 4, 6));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 4, 1028));
}

TEST_F(SvmMemFill, WaitList) {
  const test::Svm memory = allocate(1024);
  check_wait_list(CL_COMMAND_SVM_MEMFILL, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                              cl_event* event) {
    return clEnqueueSVMMemFill(tested, memory.get(), "abcdefgh", 8, 1024, count, waits, event);
  });
}

}  // namespace
