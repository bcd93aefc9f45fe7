// SPDX-License-Identifier: Apache-2.0
// Values that kernels compute which only modules in SPIR-V can express, compared with the host's.
#include <numeric>

#include "support/spirv.h"

namespace {

using Values = std::vector<cl_uint>;

class ModuleValues : public test::ModulePrograms {
 protected:
  // Like run(), in work-groups of a size, and for less work-items than there are values.
  template <class T>
  std::vector<T> run_groups(cl_program program, const char* name, const std::vector<T>& values,
                            std::size_t items, std::size_t group) const {
    const test::Kernel kernel = make_kernel(program, name);
    const test::Buffer buffer = make_buffer(values);
    set_arguments(kernel, buffer);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr));
    return contents<T>(buffer, values.size());
  }
};

Values sums_of_groups(Values values, std::size_t group) {
  for (auto first = values.begin(); first != values.end();) {
    const auto last = first + static_cast<std::ptrdiff_t>(group);
    std::fill(first, last, std::accumulate(first, last, cl_uint{0}));
    first = last;
  }
  return values;
}

// A variable in local memory with the initial value zero. Each work-group finds it, whatever the one before has left.
TEST_F(ModuleValues, ClearedLocalMemory) {
  const test::Program program = build_il(test::module("cleared_local"));
  const Values values = test::random_values<cl_uint>(600);
  for (const std::size_t group : {1, 2, 50, 200})
    EXPECT_EQ(sums_of_groups(values, group), run_groups(program, "sum", values, values.size(), group))
        << group;
}

// By the kernel of another program, which calls a function that uses it.
TEST_F(ModuleValues, ClearedLocalMemoryOfOtherPrograms) {
  const test::Program module = compile_il(test::module("cleared_local")),
                      source = compiled(
                          "uint total(uint);\n"
                          "kernel void by_source(global uint* a) {\n"
                          "  a[get_global_id(0)] = total(a[get_global_id(0)]);\n"
                          "}\n");
  const test::Program program = linked({source, module});
  const Values values = test::random_values<cl_uint>(300);
  for (const char* kernel : {"sum", "by_source"})
    EXPECT_EQ(sums_of_groups(values, 60), run_groups(program, kernel, values, values.size(), 60)) << kernel;
}

TEST_F(ModuleValues, LifetimesOfParts) {
  const test::Program program = build_il(test::module("lifetimes"));
  for (const cl_uint place : {0, 1, 63})
    EXPECT_EQ((Values{place, place, 7}), run_groups(program, "keep", Values{place, place, 0}, 1, 1)) << place;
}

TEST_F(ModuleValues, ConstantAddressesOfBytes) {
  EXPECT_EQ(Values{3}, run(build_il(test::module("byte_address")), "use", Values{0}));
}

TEST_F(ModuleValues, ArithmeticOnConstantAddresses) {
  EXPECT_EQ(Values{12}, run(build_il(test::module("address_arithmetic")), "use", Values{5}));
}

TEST_F(ModuleValues, ShufflesOfAnyType) {
  const test::Program program = build_il(test::module("shuffles"));
  constexpr std::size_t kItems = 32;  // one sub-group
  const Values values = test::random_values<cl_uint>(kItems);
  Values expected(kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    const bool is_last = i + 1 == kItems;
    const cl_uint next = values[(i + 1) % kItems];
    expected[i] = (is_last ? ~next : next) + 3 * (is_last ? next : ~next) + (is_last ? 0 : next % 2);
  }
  EXPECT_EQ(expected, run_groups(program, "down", values, kItems, kItems));
}

TEST_F(ModuleValues, BlocksOfFloats) {
  const test::Program program = build_il(test::module("shuffles"));
  std::vector<cl_float> values(64);
  std::iota(values.begin(), values.end(), 1.0f);
  const std::vector<cl_float> results = run_groups(program, "blocks", values, 32, 32);
  for (cl_float& value : values) value = -value;
  EXPECT_EQ(values, results);
}

// A copy with a stride, the distance of two addresses, and a built-in variable.
TEST_F(ModuleValues, UntypedPointers) {
  const test::Program program = build_il(test::module("untyped"));
  const Values values = test::random_values<cl_uint>(16);
  Values expected = values;
  for (cl_uint i = 0; i < 8; ++i) expected[i] = values[2 * i] + 4 * i;
  EXPECT_EQ(expected, run_groups(program, "gather", values, 8, 8));
}

}  // namespace
