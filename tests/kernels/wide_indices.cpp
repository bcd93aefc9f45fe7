// SPDX-License-Identifier: Apache-2.0
// Sums of two 32-bit numbers in 64 bits, beside accesses whose index is their sum in 32 bits. The accesses are never made: the sums exceed
// 32 bits, and only an index that is used must not.
#include <vector>

#include "support/programs.h"

namespace {

class WideIndices : public test::Programs {};

TEST_F(WideIndices, SumsBesideAccessesThatAreNotMade) {
  const test::Program program = build(R"(
kernel void with_sign(global int* a, global long* sums, int x, int y) {
  size_t i = get_global_id(0);
  if (a[i] > 100) a[x + y] = i;
  sums[i] = (long)x + (long)y;
}
kernel void without_sign(global int* a, global ulong* sums, uint x, uint y) {
  size_t i = get_global_id(0);
  if (x < 1000u && y < 1000u) a[x + y] = i;
  sums[i] = (ulong)x + (ulong)y;
}
kernel void in_a_loop(global int* a, global long* sums, int x, int y) {
  size_t i = get_global_id(0);
  int n = 0;
  do
    if (a[i + n] > 100) a[x + y] = n;
  while (++n < 4);
  sums[i] = (long)x + (long)y;
})");
  constexpr std::size_t kItems = 16;
  const test::Buffer small = make_buffer(std::vector<cl_int>(kItems + 4, 7));
  const auto near_the_end = [](auto least) {
    const auto value = test::random_values<decltype(least)>(1)[0];
    return static_cast<decltype(least)>(least + (value & 0xffff));
  };
  for (const char* name : {"with_sign", "in_a_loop"}) {
    const test::Buffer sums = make_buffer(std::vector<cl_long>(kItems));
    const cl_int x = near_the_end(cl_int{2'000'000'000}), y = near_the_end(cl_int{2'000'000'000});
    const test::Kernel kernel = make_kernel(program, name);
    set_arguments(kernel, small, sums, x, y);
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_long>(sums, kItems), std::vector<cl_long>(kItems, cl_long{x} + y)) << name;
  }
  const test::Buffer sums = make_buffer(std::vector<cl_ulong>(kItems));
  const cl_uint x = near_the_end(cl_uint{4'000'000'000}), y = near_the_end(cl_uint{4'000'000'000});
  const test::Kernel kernel = make_kernel(program, "without_sign");
  set_arguments(kernel, small, sums, x, y);
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_ulong>(sums, kItems), std::vector<cl_ulong>(kItems, cl_ulong{x} + y));
}

}  // namespace
