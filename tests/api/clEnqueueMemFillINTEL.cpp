// SPDX-License-Identifier: Apache-2.0
#include "usm_test.h"

namespace {

class MemFill : public test::UsmTest {};

TEST_F(MemFill, EveryPatternSizeAndKind) {
  for (const test::Usm kind : test::kAllKinds)
    for (std::size_t pattern_size = 1; pattern_size <= 128; pattern_size *= 2)
      for (const std::size_t count : {std::size_t{1}, test::random_engine()() % 100 + 2, std::size_t{5000}}) {
        const auto pattern = test::random_values(pattern_size);
        auto expected = test::random_values((count + 2) * pattern_size);
        const test::UsmMemory memory = allocate(kind, expected.size());
        write(memory, expected);
        CL_OK(usm->fill(queue, memory.get() + pattern_size, pattern.data(), pattern_size,
                        count * pattern_size, 0, nullptr, nullptr));
        for (std::size_t i = 0; i < count; ++i)
          std::copy(pattern.begin(), pattern.end(),
                    expected.begin() + static_cast<std::ptrdiff_t>((i + 1) * pattern_size));
        ASSERT_EQ(read(memory, expected.size()), expected) << pattern_size << " × " << count;
      }
}

TEST_F(MemFill, MemoryOfTheProgram) {
  std::vector<cl_ulong> values(1000, 1), expected(1000, 1);
  const cl_ulong pattern = test::random_engine()();
  CL_OK(usm->fill(queue, values.data() + 1, &pattern, sizeof pattern, 998 * sizeof pattern, 0, nullptr,
                  nullptr));
  CL_OK(clFinish(queue));
  std::fill(expected.begin() + 1, expected.end() - 1, pattern);
  EXPECT_EQ(values, expected);
}

TEST_F(MemFill, Errors) {
  const test::UsmMemory memory = allocate(test::Usm::device, 1024);
  const auto pattern = test::random_values(256);
  const auto fill = [&](void* to, const void* with, std::size_t pattern_size, std::size_t size) {
    return usm->fill(queue, to, with, pattern_size, size, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_SUCCESS, fill(memory.get(), pattern.data(), 16, 0));
  CL_EXPECT(CL_INVALID_VALUE, fill(nullptr, pattern.data(), 1, 1));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), nullptr, 1, 1));
  for (const std::size_t wrong : {0, 3, 12, 256})
    CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), wrong, wrong));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get() + 2, pattern.data(), 4, 4));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 4, 6));
  CL_EXPECT(CL_INVALID_VALUE, fill(memory.get(), pattern.data(), 4, 1028));
}

TEST_F(MemFill, WaitList) {
  for (const test::Usm kind : test::kAllKinds) {
    const test::UsmMemory memory = allocate(kind, 1024);
    check_wait_list(CL_COMMAND_MEMFILL_INTEL,
                    [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                      return usm->fill(tested, memory.get(), "abcdefgh", 8, 1024, count, waits, event);
                    });
  }
}

}  // namespace
