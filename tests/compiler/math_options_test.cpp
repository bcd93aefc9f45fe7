// SPDX-License-Identifier: Apache-2.0
// The effect of the -cl- math options (§5.8.6.3) on instructions: each option enables its own optimizations only.
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;

// The instructions of one kernel.
std::string instructions_of(const std::string& body, const std::string& options) {
  const std::string ptx =
      built("kernel void k(global float* p, global double* d) { " + body + " }", options).uniform.ptx;
  return ptx.substr(ptx.find(".entry k("));
}
bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

constexpr const char* kQuotient = "p[0] = p[1] / p[2];";
constexpr const char* kRoot = "p[0] = sqrt(p[1]);";
constexpr const char* kExactDivision = "-cl-fp32-correctly-rounded-divide-sqrt";
constexpr const char* kOneExpression = "p[0] = p[1] * p[2] + p[3];";
constexpr const char* kTwoStatements = "float t = p[1] * p[2]; p[0] = t + p[3];";

TEST(MathOptions, DivisionAndSquareRoot) {
  EXPECT_TRUE(has(instructions_of(kQuotient, ""), "div.full.f32"));
  EXPECT_TRUE(has(instructions_of(kRoot, ""), "sqrt.approx.f32"));
  EXPECT_TRUE(has(instructions_of(kQuotient, kExactDivision), "div.rn.f32"));
  EXPECT_TRUE(has(instructions_of(kRoot, kExactDivision), "sqrt.rn.f32"));
  EXPECT_TRUE(
      has(instructions_of("d[0] = d[1] / d[2] + sqrt(d[3]);", "-cl-fast-relaxed-math"), "div.rn.f64"));
}

// Exactly rounded, without the function that ptxas calls for div.rn.
TEST(MathOptions, DivisionOfHalves) {
  const std::string ptx =
      built("kernel void k(global half* p) { p[0] = p[1] / p[2]; }", kExactDivision).uniform.ptx;
  EXPECT_TRUE(has(ptx, "rcp.approx.ftz.f32") && !has(ptx, "div.")) << ptx;
}

TEST(MathOptions, SubnormalsOfFloatOnly) {
  for (const char* options :
       {"-cl-denorms-are-zero", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"}) {
    EXPECT_TRUE(has(instructions_of("p[0] = p[1] + p[2];", options), "add.")) << options;
    EXPECT_TRUE(has(instructions_of("p[0] = p[1] + p[2];", options), ".ftz.f32")) << options;
    EXPECT_FALSE(has(instructions_of("d[0] = d[1] + d[2];", options), ".ftz")) << options;
  }
  for (const char* options : {"", "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-finite-math-only"})
    EXPECT_FALSE(has(instructions_of(std::string(kQuotient) + "p[4] = sin(p[5]);", options), ".ftz"))
        << options;
}

// Within an expression always, unless the pragma forbids it; across statements only with the option.
TEST(MathOptions, FusedMultiplyAndAdd) {
  EXPECT_TRUE(has(instructions_of(kOneExpression, ""), "fma.rn.f32"));
  EXPECT_FALSE(has(instructions_of(kTwoStatements, ""), "fma"));
  for (const char* options : {"-cl-mad-enable", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"}) {
    EXPECT_TRUE(has(instructions_of(kTwoStatements, options), "fma.rn")) << options;
    // ptxas may fuse an addition without .rn.
    const std::string forbidden =
        instructions_of(std::string("\n#pragma OPENCL FP_CONTRACT OFF\n") + kOneExpression, options);
    EXPECT_FALSE(has(forbidden, "fma")) << options;
    EXPECT_TRUE(has(forbidden, "add.rn") && has(forbidden, "mul.rn")) << options << forbidden;
  }
}

TEST(MathOptions, WhatMayBeLeftOut) {
  constexpr const char* kZero = "p[0] = p[1] + 0.0f;";
  EXPECT_TRUE(has(instructions_of(kZero, ""), "add.rn.f32"));
  EXPECT_TRUE(has(instructions_of(kZero, "-cl-finite-math-only"), "add.rn.f32"));
  EXPECT_FALSE(has(instructions_of(kZero, "-cl-no-signed-zeros"), "add"));
  constexpr const char* kRegrouped = "p[0] = (p[1] + 1e8f) - 1e8f;";
  for (const char* options :
       {"", "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-finite-math-only", "-cl-denorms-are-zero"})
    EXPECT_TRUE(has(instructions_of(kRegrouped, options), "add.")) << options;
  EXPECT_FALSE(has(instructions_of(kRegrouped, "-cl-unsafe-math-optimizations"), "add."));
}

TEST(MathOptions, ConstantsInSinglePrecision) {
  constexpr const char* kScaled = "p[0] = p[1] * 1.1;";
  EXPECT_TRUE(has(instructions_of(kScaled, ""), ".f64"));
  EXPECT_FALSE(has(instructions_of(kScaled, "-cl-single-precision-constant"), ".f64"));
  EXPECT_TRUE(has(instructions_of("d[0] = d[1] * 1.1;", "-cl-single-precision-constant"), "mul.rn.f64"));
}

// Inline PTX as in programs for NVIDIA's compiler, in every version of the language.
TEST(VendorLanguage, InlinePtxAndUnrolling) {
  for (const char* version : {"", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    const std::string ptx = built(R"(
      #if !defined(__NV_CL_C_VERSION)
      #error not the vendor's language
      #endif
      kernel void k(global uint* out, uint x, uint y) {
        uint r;
        asm volatile("mad.lo.u32 %0, %1, %2, %1;" : "=r"(r) : "r"(x), "r"(y));
        asm("add.u32 %0, %0, 1;" : "+r"(r));
        __asm__ __volatile__("{ .reg .u32 t; mov.u32 t, %%laneid; add.u32 %0, %1, t; }" : "=r"(r) : "r"(r) : "memory");
        #pragma unroll 4
        for (uint i = 0; i < 4; ++i) out[i] = r;
        __attribute__((opencl_unroll_hint(2))) for (uint i = 4; i < y; ++i) out[i] = x;
      })",
                                  version)
                                .uniform.ptx;
    for (const char* text : {"mad.lo.u32", "add.u32", "%laneid"})
      EXPECT_TRUE(has(ptx, text)) << text << version;
    EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "") << version;
  }
}

}  // namespace
}  // namespace clcuda::compiler
