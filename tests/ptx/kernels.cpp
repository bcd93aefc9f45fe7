// SPDX-License-Identifier: Apache-2.0
// Whole kernels as Clang and nvcc write them.
#include <gtest/gtest.h>

#include <random>

#include "program.h"

namespace clcuda::ptx::testing {
namespace {

TEST(Kernels, Saxpy) {
  Program program(R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u64 .ptr .global .align 4 saxpy_param_0, .param .u64 .ptr .global .align 4 saxpy_param_1,
                      .param .f32 saxpy_param_2, .param .u32 saxpy_param_3)
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<10>;
	.reg .b64 	%rd<6>;
	ld.param.b32 	%r2, [saxpy_param_3];
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;
	ld.param.b64 	%rd1, [saxpy_param_0];
	ld.param.b64 	%rd2, [saxpy_param_1];
	ld.param.b32 	%r6, [saxpy_param_2];
	mul.wide.s32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd2, %rd3;
	ld.global.b32 	%r7, [%rd4];
	add.s64 	%rd5, %rd1, %rd3;
	ld.global.b32 	%r8, [%rd5];
	fma.rn.f32 	%r9, %r6, %r7, %r8;
	st.global.b32 	[%rd5], %r9;
$L__BB0_2:
	ret;
}
)");
  ASSERT_TRUE(program) << program.log();
  const int n = 1000;
  std::vector<float> x(n), y(n), expected(n);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-10, 10);
  for (int i = 0; i < n; ++i)
    x[i] = values(random), y[i] = values(random), expected[i] = std::fma(2.5f, x[i], y[i]);
  EXPECT_FALSE(program.run("saxpy", {4}, {256}, arguments(y.data(), x.data(), 2.5f, n)));
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace clcuda::ptx::testing
