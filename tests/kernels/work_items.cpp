// SPDX-License-Identifier: Apache-2.0
// Work-item functions (OpenCL C 6.15.1) in one to three dimensions, and for invalid dimensions.
#include <gtest/gtest.h>

#include "device_program.h"

namespace clcuda::test {
namespace {

constexpr std::size_t kFacts = 22;
constexpr const char* kSource = R"(
kernel void k(global ulong* out) {
  size_t linear = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  global ulong* p = out + 22 * linear;
  for (uint d = 0; d < 3; ++d) {
    p[d] = get_global_id(d);
    p[3 + d] = get_local_id(d);
    p[6 + d] = get_group_id(d);
    p[9 + d] = get_num_groups(d) << 32 | get_local_size(d);
  }
  for (uint d = 3; d < 5; ++d)
    p[9 + d] = get_global_id(d) + get_local_id(d) + get_group_id(d) + get_global_offset(d) + 10 * get_global_size(d) +
               100 * get_local_size(d) + 1000 * get_num_groups(d);
  p[14] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
  p[15] = get_global_size(0);
  p[16] = get_global_size(1);
  p[17] = get_global_size(2);
  p[18] = get_global_linear_id();
  p[19] = get_local_linear_id();
  p[20] = get_enqueued_local_size(0) + 100 * get_enqueued_local_size(1) + 10000 * get_enqueued_local_size(2);
  p[21] = get_local_id(0xffffffffu);
})";

void check(const Range& range) {
  DeviceProgram program(kSource);
  std::vector<cl_ulong> out(kFacts * range.total());
  program.run("k", range, {out});
  std::size_t linear = 0;
  for (std::size_t z = 0; z < range.global[2]; ++z) {
    for (std::size_t y = 0; y < range.global[1]; ++y) {
      for (std::size_t x = 0; x < range.global[0]; ++x, ++linear) {
        const std::array<std::size_t, 3> id{x, y, z};
        const cl_ulong* p = &out[kFacts * linear];
        std::array<std::size_t, 3> local{};
        for (cl_uint d = 0; d < 3; ++d) {
          local[d] = id[d] % range.local[d];
          ASSERT_EQ(p[d], id[d]) << range.text();
          ASSERT_EQ(p[3 + d], local[d]) << range.text();
          ASSERT_EQ(p[6 + d], id[d] / range.local[d]) << range.text();
          ASSERT_EQ(p[9 + d], range.global[d] / range.local[d] << 32 | range.local[d]) << range.text();
          ASSERT_EQ(p[15 + d], range.global[d]) << range.text();
        }
        ASSERT_EQ(p[12], 1110u);
        ASSERT_EQ(p[13], 1110u);
        ASSERT_EQ(p[14], 0u);
        ASSERT_EQ(p[18], linear) << range.text();
        ASSERT_EQ(p[19], (local[2] * range.local[1] + local[1]) * range.local[0] + local[0]) << range.text();
        ASSERT_EQ(p[20], range.local[0] + 100 * range.local[1] + 10000 * range.local[2]) << range.text();
        ASSERT_EQ(p[21], 0u);
      }
    }
  }
}

TEST(WorkItems, OneDimension) { check({1, {96, 1, 1}, {32, 1, 1}}); }
TEST(WorkItems, TwoDimensions) { check({2, {24, 10, 1}, {8, 5, 1}}); }
TEST(WorkItems, ThreeDimensions) { check({3, {12, 6, 8}, {4, 3, 2}}); }

// In each round, each work-item sees what the whole group wrote before the barrier.
TEST(Barriers, OrderLocalAndGlobalMemory) {
  DeviceProgram program(
      "kernel void k(global uint* out, global uint* scratch) {\n  local uint row[64];\n  uint l = "
      "get_local_id(0), base = 64 * get_group_id(0);\n"
      "  uint x = get_global_id(0);\n  for (uint round = 0; round < 20; ++round) {\n    row[l] = x;\n    "
      "barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    x = 3 * row[(l + round) % 64] + round;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    scratch[base + l] "
      "= x;\n"
      "    barrier(CLK_GLOBAL_MEM_FENCE);\n    x ^= scratch[base + (l + 7) % 64];\n    "
      "barrier(CLK_GLOBAL_MEM_FENCE);\n  }\n"
      "  out[get_global_id(0)] = x;\n}");
  constexpr std::size_t kTotal = 256;
  std::vector<cl_uint> out(kTotal), scratch(kTotal), x(kTotal);
  program.run("k", {1, {kTotal, 1, 1}, {64, 1, 1}}, {out, scratch});
  for (std::size_t i = 0; i < kTotal; ++i) x[i] = static_cast<cl_uint>(i);
  for (cl_uint round = 0; round < 20; ++round) {
    std::vector<cl_uint> next(kTotal);
    for (std::size_t i = 0; i < kTotal; ++i) next[i] = 3 * x[i / 64 * 64 + (i + round) % 64] + round;
    for (std::size_t i = 0; i < kTotal; ++i) x[i] = next[i] ^ next[i / 64 * 64 + (i + 7) % 64];
  }
  EXPECT_EQ(out, x);
}

}  // namespace
}  // namespace clcuda::test
