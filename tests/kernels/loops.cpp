// SPDX-License-Identifier: Apache-2.0
// Edge cases of the compiler's loop optimizations.
#include <numeric>
#include <random>

#include "support/programs.h"

namespace {

class Loops : public test::Programs {
 protected:
  // Runs `kernel void k(global uint* out, …)` in one work-group of `items` work-items, and returns the contents of `out`.
  template <class... Arguments>
  std::vector<cl_uint> run(cl_program program, std::size_t items, std::size_t count,
                           const Arguments&... arguments) const {
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer out = make_buffer(std::vector<cl_uint>(count));
    set_arguments(kernel, out, arguments...);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
    return contents<cl_uint>(out, count);
  }
};

// A counter that passes its bound in an iteration that does not compare it.
TEST_F(Loops, WhoseBoundIsNotAlwaysAskedFor) {
  const char* source = R"(
    kernel void k(global uint* out, global const uint* words, uint end) {
      uint word, i = 0;
      if (end > 0) {
        for (;; ++i) {
          word = words[i];
          if (word & 1) {
            out[i + 1] = word * word;
            if (i + 1 == end) { i = i + 1; break; }
            out[i + 2] = word;
          }
          if (word == 8) break;
        }
      }
      out[0] = i;
    })";
  const test::Buffer words = make_buffer(std::vector<cl_uint>{2, 2, 1, 1, 2, 1, 8});
  for (const char* options : {"", "-cl-opt-disable"}) {
    const test::Program program = build(source, options);
    for (const auto& [end, last] : {std::pair{0U, 0U}, {1U, 6U}, {2U, 6U}, {3U, 3U}, {4U, 4U}, {5U, 6U}})
      EXPECT_EQ(last, run(program, 1, 8, words, end).front()) << end << options;
  }
}

// A condition that is uniform for the work-items that are still in a loop need not be uniform for those that have left it.
TEST_F(Loops, WithAConditionOfAnEarlierTurnOfEach) {
  constexpr cl_uint kItems = 32, kTurns = 9;
  const char* source = R"(
    kernel void k(global uint* out, global const uint* words, volatile global uint* odd, uint turns) {
      local uint room[32], other[32];
      const uint id = get_local_id(0);
      room[id] = other[id] = id;
      uint i = 0, sum = 0;
      bool is_odd;
      do {
        is_odd = (words[i] & 1) != 0;
        if (is_odd) atomic_inc(odd);
        ++i;
      } while (words[(i * 7 + id) & 31] >= 4);
      for (uint turn = 0; turn < turns; ++turn) {
        if (is_odd) room[id] = sum * 3 + turn; else other[id] += 3;
        sum += room[id] + sub_group_shuffle_xor(other[id] + turn, 3);
      }
      out[id] = sum;
    })";
  std::vector<cl_uint> words = test::random_values<cl_uint>(kItems);
  for (cl_uint& word : words) word &= 7;
  words[kItems - 1] = 0;
  std::vector<cl_uint> room(kItems), other(kItems), expected(kItems);
  std::iota(room.begin(), room.end(), 0U);
  other = room;
  std::vector<bool> is_odd(kItems);
  for (cl_uint id = 0; id < kItems; ++id) {
    cl_uint i = 0;
    do is_odd[id] = words[i++] & 1;
    while (words[(i * 7 + id) % kItems] >= 4);
  }
  for (cl_uint turn = 0; turn < kTurns; ++turn) {
    for (cl_uint id = 0; id < kItems; ++id) {
      if (is_odd[id])
        room[id] = expected[id] * 3 + turn;
      else
        other[id] += 3;
    }
    for (cl_uint id = 0; id < kItems; ++id) expected[id] += room[id] + other[id ^ 3] + turn;
  }
  const test::Buffer given = make_buffer(words), odd = make_buffer(std::vector<cl_uint>(1));
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ(expected, run(build(source, options), kItems, kItems, given, odd, kTurns)) << options;
}

// Work-items that leave a loop with volatile loads in different iterations exchange values after it.
TEST_F(Loops, OfVolatileReadsAheadOfAnExchange) {
  constexpr cl_uint kItems = 64;
  const char* source = R"(
    kernel void k(global uint* out) {
      const uint id = get_local_id(0);
      volatile uint end = id;
      uint i = 0;
      while (i < end) ++i;
      out[id] = sub_group_shuffle_xor(i, 31);
    })";
  std::vector<cl_uint> expected;
  for (cl_uint id = 0; id < kItems; ++id) expected.push_back(id ^ 31);
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ(expected, run(build(source, options), kItems, kItems)) << options;
}

// The small trip count of a loop with a barrier is known only after another loop has been unrolled.
TEST_F(Loops, OfFewTurnsAsItTurnsOut) {
  constexpr cl_uint kItems = 32;
  for (const cl_uint turns : {1U, 2U, 4U, 5U, 7U, 9U, 16U}) {
    const std::string source = R"(
      kernel void k(global uint* out) {
        const uint id = get_local_id(0);
        local uint room[2][32];
        uint squares[5], sum = id;
        for (uint i = 0; i < 5; ++i) squares[i] = i * i;
        const uint turns = squares[4] - )" +
                               std::to_string(16 - turns) + R"(;
        for (uint i = 0; i < turns; ++i) {
          room[i & 1][id] = sum;
          barrier(CLK_LOCAL_MEM_FENCE);
          sum = sum * 3 + room[i & 1][id ^ 5];
        }
        out[id] = sum;
      })";
    std::vector<cl_uint> expected(kItems);
    std::iota(expected.begin(), expected.end(), 0U);
    for (cl_uint turn = 0; turn < turns; ++turn) {
      const std::vector<cl_uint> room = expected;
      for (cl_uint id = 0; id < kItems; ++id) expected[id] = room[id] * 3 + room[id ^ 5];
    }
    for (const char* options : {"", "-cl-opt-disable"})
      EXPECT_EQ(expected, run(build(source, options), kItems, kItems)) << turns << options;
  }
}

// Columns of matrices, whose rows have any length, even a negative one, and which the compiler walks with pointers.
TEST_F(Loops, OverColumns) {
  constexpr cl_uint kItems = 32;
  constexpr int kMiddle = 4096;
  const test::Program program = build(R"(
    kernel void k(global uint* out, global uint* all_b, global const uint* all_a, int rows, int n, int at, int step) {
      const int id = get_local_id(0);
      global const uint* a = all_a + 4096;
      global uint* b = all_b + 4096;
      uint sum = id;
      for (int i = 0; i < rows; ++i) sum = sum * 31 + a[i * n + at];
      for (int i = 0; i < rows; ++i) sum = sum * 7 + a[i * n + id] + a[i * n + id + 1] * a[at - i * n];
      for (int i = rows; i > 0; --i) sum = sum * 5 + a[(i - 3) * n + i + at];
      for (int i = 0; i < rows; i += step) sum = sum * 3 + a[n * i + id];
      for (uint i = 0; i < rows; ++i) sum = sum * 11 + all_a[i * (uint)(step * 37) + (uint)id];
      for (int i = 0; i < rows; ++i) {
        if (a[i * n + at] % 50 == 7) break;
        sum += a[i * n];
      }
      if (id == 0)
        for (int i = 0; i < rows; ++i) b[i * n + at] = b[i * n + at + 1] * 9 + a[i * n] + sum;
      out[id] = sum;
    })");
  const test::Kernel kernel = make_kernel(program, "k");
  for (int round = 0; round < 200; ++round) {
    const auto all_a = test::random_values<cl_uint>(2 * kMiddle);
    auto all_b = test::random_values<cl_uint>(2 * kMiddle);
    const auto within = [](int least, int most) {
      return std::uniform_int_distribution(least, most)(test::random_engine());
    };
    const cl_int rows = within(0, 40), n = within(-40, 40), at = within(-100, 100), step = within(1, 5);
    const test::Buffer out = make_buffer(std::vector<cl_uint>(kItems)), b = make_buffer(all_b),
                       a = make_buffer(all_a);
    set_arguments(kernel, out, b, a, rows, n, at, step);
    const std::size_t items = kItems;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
    std::vector<cl_uint> sums(kItems);
    const cl_uint* read = all_a.data() + kMiddle;
    cl_uint* written = all_b.data() + kMiddle;
    for (int id = 0; id < int{kItems}; ++id) {
      cl_uint sum = cl_uint(id);
      for (int i = 0; i < rows; ++i) sum = sum * 31 + read[i * n + at];
      for (int i = 0; i < rows; ++i)
        sum = sum * 7 + read[i * n + id] + read[i * n + id + 1] * read[at - i * n];
      for (int i = rows; i > 0; --i) sum = sum * 5 + read[(i - 3) * n + i + at];
      for (int i = 0; i < rows; i += step) sum = sum * 3 + read[n * i + id];
      for (int i = 0; i < rows; ++i) sum = sum * 11 + all_a[std::size_t(i * step * 37 + id)];
      for (int i = 0; i < rows && read[i * n + at] % 50 != 7; ++i) sum += read[i * n];
      if (id == 0)
        for (int i = 0; i < rows; ++i) written[i * n + at] = written[i * n + at + 1] * 9 + read[i * n] + sum;
      sums[std::size_t(id)] = sum;
    }
    ASSERT_EQ(sums, contents<cl_uint>(out, kItems)) << rows << ' ' << n << ' ' << at << ' ' << step;
    ASSERT_EQ(all_b, contents<cl_uint>(b, all_b.size())) << rows << ' ' << n << ' ' << at << ' ' << step;
  }
}

// Numbers of 32 and 64 bits, divided by one that a loop, or two, do not change.
TEST_F(Loops, ThatDivideByOneNumber) {
  const test::Program program = build(R"(
    kernel void k(global ulong* out, global const ulong* x, global const ulong* divisors, ulong n, int count) {
      const ulong by = divisors[get_global_id(0)];
      ulong q = 0, r = 0;
      long sq = 0, sr = 0;
      for (int i = 0; i < count; ++i) {
        for (int j = i; j < count; ++j) r = r * 31 + x[j] % n;
        q = q * 31 + x[i] / by;
        r = r * 7 + x[i] % by;
        sq = sq * 31 + (long)x[i] / (long)by;
        sr = sr * 7 + (long)x[i] % (long)n;
      }
      out[get_global_id(0) * 4] = q;
      out[get_global_id(0) * 4 + 1] = r;
      out[get_global_id(0) * 4 + 2] = sq;
      out[get_global_id(0) * 4 + 3] = sr;
    })");
  const test::Kernel kernel = make_kernel(program, "k");
  std::vector<cl_ulong> numbers = {1,
                                   2,
                                   3,
                                   7,
                                   641,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   0x100000001,
                                   cl_ulong(CL_LONG_MAX),
                                   cl_ulong(-7),
                                   cl_ulong(-0x100000000)};
  for (const cl_ulong random : test::random_values<cl_ulong>(24)) {
    numbers.push_back(random | 1);
    numbers.push_back((random & 0xffffffff) | 1);
    numbers.push_back((random >> 50) | 1);
  }
  std::vector<cl_ulong> dividends = numbers;
  dividends.insert(dividends.end(), {0, cl_ulong(CL_LONG_MIN), cl_ulong(-1), cl_ulong(-2)});
  const std::size_t items = numbers.size();
  const cl_int count = cl_int(dividends.size());
  const test::Buffer x = make_buffer(dividends), divisors = make_buffer(numbers);
  for (const cl_ulong n : numbers) {
    const test::Buffer out = make_buffer(std::vector<cl_ulong>(items * 4));
    set_arguments(kernel, out, x, divisors, n, count);
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    std::vector<cl_ulong> expected;
    for (const cl_ulong by : numbers) {
      cl_ulong q = 0, r = 0, sq = 0, sr = 0;
      for (std::size_t i = 0; i < dividends.size(); ++i) {
        for (std::size_t j = i; j < dividends.size(); ++j) r = r * 31 + dividends[j] % n;
        q = q * 31 + dividends[i] / by;
        r = r * 7 + dividends[i] % by;
        sq = sq * 31 + cl_ulong(cl_long(dividends[i]) / cl_long(by));
        sr = sr * 7 + cl_ulong(cl_long(dividends[i]) % cl_long(n));
      }
      expected.insert(expected.end(), {q, r, sq, sr});
    }
    ASSERT_EQ(expected, contents<cl_ulong>(out, items * 4)) << n;
  }
}

}  // namespace
