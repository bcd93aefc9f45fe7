// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of sub-groups: cl_khr_subgroups, cl_khr_subgroup_extended_types,
// cl_khr_subgroup_non_uniform_arithmetic, cl_khr_subgroup_clustered_reduce.
#include "collective_test.h"

namespace clcuda::test {
namespace {

template <class T>
class SubGroupArithmetic : public testing::Test {
 protected:
  Random random{std::random_device{}()};
};
using Types = testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long, cl_ulong, Half,
                             cl_float, cl_double>;
TYPED_TEST_SUITE(SubGroupArithmetic, Types);

#define REQUIRE_EXTENSION(name) \
  if (!device_has_extension(name)) GTEST_SKIP() << "the device does not have " name
#define REQUIRE_TYPE()                                                   \
  if (std::is_same_v<TypeParam, Half>) REQUIRE_EXTENSION("cl_khr_fp16"); \
  if (sizeof(TypeParam) < 4 && !std::is_same_v<TypeParam, Half>)         \
  REQUIRE_EXTENSION("cl_khr_subgroup_extended_types")

TYPED_TEST(SubGroupArithmetic, UniformReductionsAndScans) {
  REQUIRE_EXTENSION("cl_khr_subgroups");
  REQUIRE_TYPE();
  run_uniform(arithmetic_steps<TypeParam>("sub_group_", {Op::add, Op::min, Op::max}), false, this->random, 9);
}

// One operation per program: large kernels with many warp operations take the CPU device long to compile.
TYPED_TEST(SubGroupArithmetic, NonUniformReductionsAndScans) {
  REQUIRE_EXTENSION("cl_khr_subgroup_non_uniform_arithmetic");
  REQUIRE_TYPE();
  for (const Op op : some_of(operations<TypeParam>(), 3, this->random)) {
    run_divergent(arithmetic_steps<TypeParam>("sub_group_non_uniform_", {op}), this->random, 6,
                  op == Op::mul);
  }
}

// The result for the participants in the cluster of `at`.
template <class T>
T collect_cluster(Op op, unsigned size, const std::vector<T>& values, const std::vector<std::size_t>& items,
                  std::size_t at, const std::vector<std::size_t>& lanes) {
  T result = identity<T>(op);
  for (const std::size_t item : items) {
    if (lanes[item] / size == lanes[at] / size) result = apply(op, result, values[item]);
  }
  return result;
}

TYPED_TEST(SubGroupArithmetic, ClusteredReductions) {
  REQUIRE_EXTENSION("cl_khr_subgroup_clustered_reduce");
  REQUIRE_TYPE();
  using T = TypeParam;
  // Positions in the buffers are consecutive within a sub-group, but the first participant need not be lane 0, so the lanes are passed
  // along with the values.
  auto lanes = std::make_shared<std::vector<std::size_t>>();
  for (const Op op : some_of(operations<T>(), 3, this->random)) {
    std::vector<Step<T>> steps;
    for (const unsigned size : {1U << this->random() % 3, 8U << this->random() % 3}) {
      steps.push_back(
          {std::string("sub_group_clustered_reduce_") + name_of(op) + "(x, " + std::to_string(size) + ")",
           [=](const auto& values, const auto& items, std::size_t at) {
             return collect_cluster(op, size, values, items, at, *lanes);
           }});
    }
    // In one work-group, a position's lane is its remainder by 32.
    DeviceProgram program(divergent_source(steps));
    for (int launch = 0; launch < 4; ++launch) {
      Range range;
      range.global[0] = range.local[0] = 1 + this->random() % 256;
      lanes->resize(range.total());
      for (std::size_t at = 0; at < range.total(); ++at) (*lanes)[at] = at % 32;
      launch_divergent(program, steps, range, static_cast<unsigned>(1 + launch), this->random, op == Op::mul);
    }
  }
}

int logical(Op op, int a, int b) {
  if (op == Op::and_) return a && b;
  if (op == Op::or_) return a || b;
  return !a != !b;
}

TEST(SubGroupLogical, NonUniformReductionsAndScans) {
  REQUIRE_EXTENSION("cl_khr_subgroup_non_uniform_arithmetic");
  Random random{std::random_device{}()};
  std::vector<Step<cl_int>> steps;
  for (const Op op : {Op::and_, Op::or_, Op::xor_}) {
    for (const Form form : kForms) {
      // Mostly true, because "and" would almost always be false otherwise.
      steps.push_back({std::string("sub_group_non_uniform_") + name_of(form) + "_logical_" + name_of(op) +
                           "(x & 15) != 0",
                       [=](const auto& values, const auto& items, std::size_t at) {
                         int result = op == Op::and_;
                         for (const std::size_t item : items) {
                           if (form == Form::scan_exclusive && item == at) break;
                           result = logical(op, result, values[item] & 15);
                           if (form == Form::scan_inclusive && item == at) break;
                         }
                         return result;
                       }});
    }
  }
  run_uniform(steps, false, random, 6);
  run_divergent(steps, random, 12);
}

// In each iteration of a loop, the lanes still in it participate.
TEST(SubGroupLoop, EachRoundHasTheLanesStillInIt) {
  REQUIRE_EXTENSION("cl_khr_subgroup_non_uniform_arithmetic");
  Random random{std::random_device{}()};
  DeviceProgram program(R"(
kernel void rounds(global const int* in, global const int* rounds, global int* out) {
  size_t at = get_global_id(0);
  int last = -1;
  for (int i = 0; i < rounds[at]; ++i) last = sub_group_non_uniform_reduce_add(in[at] + i);
  out[at] = last;
})");
  Range range;
  range.global[0] = 4 * (range.local[0] = 1 + random() % 128);
  std::vector<cl_int> in(range.total()), rounds(range.total()), out(range.total());
  for (auto& value : in) value = static_cast<cl_int>(random() % 1000);
  for (auto& count : rounds) count = static_cast<cl_int>(random() % 6);
  program.run("rounds", range, {in, rounds, out});
  for (const auto& group : Groups(range).sub_groups) {
    for (const std::size_t at : group) {
      int expected = rounds[at] ? 0 : -1;
      for (const std::size_t other : group) {
        if (rounds[at] && rounds[other] >= rounds[at]) expected += in[other] + rounds[at] - 1;
      }
      EXPECT_EQ(out[at], expected) << "item " << at;
    }
  }
}

}  // namespace
}  // namespace clcuda::test
