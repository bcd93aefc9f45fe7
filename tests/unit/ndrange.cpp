// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/ndrange.h"

#include <gtest/gtest.h>

#include <random>

namespace clcuda {
namespace {

std::mt19937_64& random_engine() {
  static std::mt19937_64 engine(std::random_device{}());
  return engine;
}

std::size_t random_below(std::size_t bound) { return random_engine()() % bound; }

// Each work-item belongs to exactly one launch: compares sums of counts and of first ids over all parts.
void expect_covers(const NDRange& range) {
  std::size_t items = 0;
  for (std::size_t i = 0; i < count_parts(range); ++i) {
    const LaunchPart p = part(range, i);
    std::size_t inside = 1;
    for (unsigned d = 0; d < 3; ++d) {
      ASSERT_GE(p.grid[d], 1u);
      ASSERT_LE(p.grid[d], d == 0 ? 0x7fffffffu : 65535u);
      ASSERT_GE(p.block[d], 1u);
      ASSERT_LE(p.block[d], range.local[d]);
      const std::size_t first = p.group_offset[d] * range.local[d];
      const std::size_t last = first + std::size_t{p.grid[d]} * p.block[d];
      ASSERT_LE(last, range.global[d]);
      // Only the last work-group of a dimension may be smaller.
      if (p.block[d] != range.local[d]) {
        ASSERT_EQ(p.grid[d], 1u);
        ASSERT_EQ(last, range.global[d]);
      }
      inside *= last - first;
    }
    items += inside;
  }
  EXPECT_EQ(items, range.global[0] * range.global[1] * range.global[2]);
}

TEST(NDRange, UniformTakesOneLaunch) {
  const NDRange range{.dimensions = 2, .global = {1024, 30, 1}, .local = {64, 3, 1}};
  EXPECT_TRUE(range.uniform());
  ASSERT_EQ(count_parts(range), 1u);
  const LaunchPart p = part(range, 0);
  EXPECT_EQ(p.grid, (std::array<unsigned, 3>{16, 10, 1}));
  EXPECT_EQ(p.block, (std::array<unsigned, 3>{64, 3, 1}));
}

TEST(NDRange, OffsetOrRestIsNotUniform) {
  EXPECT_FALSE((NDRange{.offset = {1, 0, 0}, .global = {64, 1, 1}, .local = {64, 1, 1}}.uniform()));
  EXPECT_FALSE((NDRange{.global = {65, 1, 1}, .local = {64, 1, 1}}.uniform()));
  EXPECT_FALSE((NDRange{.global = {std::size_t{1} << 31, 1, 1}, .local = {64, 1, 1}}.uniform()));
  EXPECT_TRUE((NDRange{.global = {(std::size_t{1} << 31) - 64, 1, 1}, .local = {64, 1, 1}}.uniform()));
  EXPECT_FALSE((NDRange{.dimensions = 2, .global = {1, 65536, 1}, .local = {1, 1, 1}}.uniform()));
}

TEST(NDRange, RestInEveryDimensionTakesEightLaunches) {
  const NDRange range{.dimensions = 3, .global = {10, 10, 10}, .local = {4, 3, 7}};
  EXPECT_EQ(count_parts(range), 8u);
  expect_covers(range);
}

TEST(NDRange, GridsBeyondTheLimitAreCut) {
  const NDRange range{.dimensions = 3, .global = {3, 200'000, 70'000}, .local = {1, 1, 1}};
  EXPECT_EQ(count_parts(range), 4u * 2u);
  expect_covers(range);
  const NDRange wide{.global = {(std::size_t{1} << 40) + 5, 1, 1}, .local = {256, 1, 1}};
  expect_covers(wide);
}

TEST(NDRange, RandomRangesAreCovered) {
  for (int i = 0; i < 2000; ++i) {
    NDRange range{.dimensions = 3};
    for (unsigned d = 0; d < 3; ++d) {
      range.global[d] = 1 + random_below(d == 0 ? 1'000'000 : 200'000);
      range.local[d] = 1 + random_below(d == 2 ? 64 : 1024);
    }
    expect_covers(range);
  }
}

TEST(NDRange, CountOfHugeRangesSaturates) {
  const std::size_t most = ~std::size_t{0};
  EXPECT_GT(count_parts({.dimensions = 3, .global = {most, most, most}, .local = {1, 1, 1}}),
            std::size_t{1} << 40);
}

TEST(ChooseLocalSize, DividesWhereItMust) {
  for (int i = 0; i < 2000; ++i) {
    NDRange range{.dimensions = 3};
    for (unsigned d = 0; d < 3; ++d) range.global[d] = 1 + random_below(5000);
    range.local = choose_local_size(range, 256, 1024, 1, true);
    EXPECT_TRUE(range.divides());
    EXPECT_LE(range.group_size(), 256u);
    EXPECT_LE(range.local[2], 64u);
  }
}

TEST(ChooseLocalSize, PrimesGetFullGroupsWhereTheyMay) {
  EXPECT_EQ(choose_local_size({.global = {1'000'003, 1, 1}}, 256, 1024, 1, false), (Size3{256, 1, 1}));
  EXPECT_EQ(choose_local_size({.global = {1'000'003, 1, 1}}, 256, 1024, 1, true), (Size3{1, 1, 1}));
  EXPECT_EQ(choose_local_size({.global = {97, 1, 1}}, 256, 1024, 1, true), (Size3{97, 1, 1}));
  EXPECT_EQ(choose_local_size({.global = {4096, 1, 1}}, 256, 64, 1, true), (Size3{64, 1, 1}));
}

TEST(ChooseLocalSize, GivesEachComputeUnitAGroup) {
  const auto chosen = [](Size3 global) {
    return choose_local_size({.global = global}, 256, 1024, 132, true);
  };
  EXPECT_EQ(chosen({32, 1, 1}), (Size3{32, 1, 1}));
  EXPECT_EQ(chosen({1026, 1, 1}), (Size3{27, 1, 1}));
  EXPECT_EQ(chosen({4096, 1, 1}), (Size3{32, 1, 1}));
  EXPECT_EQ(chosen({8192, 1, 1}), (Size3{64, 1, 1}));
  EXPECT_EQ(chosen({64, 64, 1}), (Size3{32, 1, 1}));
  // Four groups of 60 are fewer work-items than one of 250; two of 125 are as many, and five of 60 more.
  EXPECT_EQ(chosen({30'000, 1, 1}), (Size3{60, 1, 1}));
  EXPECT_EQ(chosen({33'000, 1, 1}), (Size3{250, 1, 1}));
  EXPECT_EQ(chosen({1 << 20, 1, 1}), (Size3{256, 1, 1}));
}

// Each size divides 0.
TEST(ChooseLocalSize, AnySizeDividesAnEmptyRange) {
  for (const bool must_divide : {false, true}) {
    NDRange range{.global = {0, 1, 1}};
    range.local = choose_local_size(range, 256, 1024, 132, must_divide);
    EXPECT_TRUE(range.divides());
    range.local = choose_local_size_of_sub_groups(range, 3, must_divide);
    EXPECT_EQ(range.sub_group_count(), 3u);
    EXPECT_TRUE(range.divides());
  }
}

}  // namespace
}  // namespace clcuda
