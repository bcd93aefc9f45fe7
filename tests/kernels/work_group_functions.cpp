// SPDX-License-Identifier: Apache-2.0
// Work-group collective functions and cl_khr_work_group_uniform_arithmetic: any size and shape of work-group.
#include "collective_test.h"

namespace clcuda::test {
namespace {

template <class T>
class WorkGroupFunctions : public testing::Test {
 protected:
  Random random{std::random_device{}()};

  void SetUp() override {
    if (!device_has_feature("__opencl_c_work_group_collective_functions"))
      GTEST_SKIP() << "the device does not have work-group collective functions";
    if (std::is_same_v<T, Half> && !device_has_extension("cl_khr_fp16"))
      GTEST_SKIP() << "the device does not have half precision";
  }
};
using Types = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, Half, cl_float, cl_double>;
TYPED_TEST_SUITE(WorkGroupFunctions, Types);

TYPED_TEST(WorkGroupFunctions, ReductionsAndScans) {
  run_uniform(arithmetic_steps<TypeParam>("work_group_", {Op::add, Op::min, Op::max}), true, this->random,
              12);
}

TYPED_TEST(WorkGroupFunctions, ProductsAndBits) {
  if (!device_has_extension("cl_khr_work_group_uniform_arithmetic"))
    GTEST_SKIP() << "the device does not have them";
  std::vector<Op> ops = {Op::mul};
  if (std::is_integral_v<TypeParam>) ops = {Op::mul, Op::and_, Op::or_, Op::xor_};
  run_uniform(arithmetic_steps<TypeParam>("work_group_", ops), true, this->random, 12, true);
}

// Consecutive calls with different source lanes: a wrong value shows that one call's exchange interfered with the next.
TYPED_TEST(WorkGroupFunctions, BroadcastInEveryDimension) {
  using T = TypeParam;
  DeviceProgram program(std::string("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n") + kPositionSource +
                        "typedef " + TypeName<T>::name + R"( T;
#define BROADCAST(dimensions, ...)                                                                  \
  kernel void broadcast##dimensions(global const T* in, global T* out) {                            \
    size_t at = position(), total = get_global_size(0) * get_global_size(1) * get_global_size(2);   \
    for (size_t k = 0; k < 8; ++k) {                                                                \
      size_t x = k % get_local_size(0), y = k % get_local_size(1), z = k % get_local_size(2);       \
      out[k * total + at] = work_group_broadcast(in[at], __VA_ARGS__);                              \
    }                                                                                               \
  }
BROADCAST(1, x)
BROADCAST(2, x, y)
BROADCAST(3, x, y, z)
)");
  const auto check = [&](const Range& range) {
    std::vector<T> in(range.total()), out(8 * range.total());
    for (T& value : in) value = random_value<T>(this->random, false);
    program.run(("broadcast" + std::to_string(range.dimensions)).c_str(), range, {in, out});
    const Groups groups(range);
    std::size_t number = 0;
    for (std::size_t gz = 0; gz < range.group_count(2); ++gz) {
      for (std::size_t gy = 0; gy < range.group_count(1); ++gy) {
        for (std::size_t gx = 0; gx < range.group_count(0); ++gx, ++number) {
          const auto size = range.group_size({gx, gy, gz});
          const auto& group = groups.work_groups[number];
          for (std::size_t k = 0; k < 8; ++k) {
            const std::size_t source = ((k % size[2]) * size[1] + k % size[1]) * size[0] + k % size[0];
            for (const std::size_t at : group)
              ASSERT_TRUE(same(out[k * range.total() + at], in[group[source]]))
                  << range.text() << ", call " << k;
          }
        }
      }
    }
  };
  const bool non_uniform = device_has_non_uniform_work_groups();
  for (int launch = 0; launch < 9; ++launch)
    check(random_range(this->random, 300, launch % 2 == 0 || !non_uniform));
  // More work-items in the third dimension than a block has of CUDA's.
  check({3, {4, 6, 150}, {2, 2, 75}});
  if (non_uniform) check({3, {10, 2, 162}, {4, 1, 65}});
}

std::vector<Step<cl_int>> predicates(bool extended) {
  std::vector<Step<cl_int>> steps;
  const auto add = [&](const std::string& name, Form form, Op op) {
    steps.push_back({name + "(x & 255) != 0", [=](const auto& values, const auto& items, std::size_t at) {
                       int result = op == Op::and_;
                       for (const std::size_t item : items) {
                         const int bit = (values[item] & 255) != 0;
                         if (form == Form::scan_exclusive && item == at) break;
                         result = op == Op::and_ ? result & bit : op == Op::or_ ? result | bit : result ^ bit;
                         if (form == Form::scan_inclusive && item == at) break;
                       }
                       return result;
                     }});
  };
  add("work_group_all", Form::reduce, Op::and_);
  add("work_group_any", Form::reduce, Op::or_);
  if (!extended) return steps;
  for (const Op op : {Op::and_, Op::or_, Op::xor_}) {
    for (const Form form : kForms)
      add(std::string("work_group_") + name_of(form) + "_logical_" + name_of(op), form, op);
  }
  return steps;
}

TEST(WorkGroupPredicates, AllAnyAndLogicalOperations) {
  if (!device_has_feature("__opencl_c_work_group_collective_functions"))
    GTEST_SKIP() << "the device does not have them";
  Random random{std::random_device{}()};
  run_uniform(predicates(device_has_extension("cl_khr_work_group_uniform_arithmetic")), true, random, 15);
}

TEST(WorkGroupPredicates, NoneAndEvery) {
  if (!device_has_feature("__opencl_c_work_group_collective_functions"))
    GTEST_SKIP() << "the device does not have them";
  DeviceProgram program(R"(
kernel void votes(global const int* in, global int* out) {
  size_t i = get_global_id(0);
  out[i] = (work_group_all(in[i]) != 0) * 2 + (work_group_any(in[i]) != 0);
})");
  for (const std::size_t size : {1U, 31U, 32U, 33U, 200U}) {
    Range range;
    range.global[0] = range.local[0] = size;
    for (const int odd_one_out : {-1, 0, static_cast<int>(size) - 1}) {
      for (const int others : {0, 4}) {
        std::vector<cl_int> in(size, others), out(size);
        if (odd_one_out >= 0) in[odd_one_out] = !others;
        const int all = std::all_of(in.begin(), in.end(), [](int v) { return v != 0; });
        const int any = std::any_of(in.begin(), in.end(), [](int v) { return v != 0; });
        program.run("votes", range, {in, out});
        for (const int value : out)
          ASSERT_EQ(value, all * 2 + any) << size << " " << odd_one_out << " " << others;
      }
    }
  }
}

}  // namespace
}  // namespace clcuda::test
