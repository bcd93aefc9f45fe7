// SPDX-License-Identifier: Apache-2.0
// Loops with image reads and local memory, loops with strides, and reciprocals in loops.
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

// In OpenCL C 1.2 images need no feature macro.
std::string ptx_of(const std::string& source) { return built(source, "-cl-std=CL1.2").uniform.ptx; }

// Image reads may be duplicated like loads: unrolled by four with a remainder loop, or by eight if a load gives the coordinates.
TEST(PtxLoops, FetchesAreUnrolled) {
  const std::string fetches = ptx_of(R"(
    kernel void k(read_only image2d_t image, sampler_t s, global float* out, int n) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += read_imagef(image, s, (int2)(i, 3)).x;
      *out = sum;
    })");
  EXPECT_EQ(count(fetches, "tex.2d"), 5U) << fetches;
  const std::string chained = ptx_of(R"(
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t image, global const int* at, global float* out, int n) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += read_imagef(image, s, (int2)(at[i], 3)).x;
      *out = sum;
    })");
  EXPECT_EQ(count(chained, "tex.2d"), 9U) << chained;
}

// Only the remainder loop gets the pragma nounroll, not the loop that is unrolled by four.
TEST(PtxLoops, WhatIsUnrolledIsLeftToPtxas) {
  const std::string ptx = ptx_of(R"(
    kernel void k(global float* out, float x, int n) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += x;
      *out = sum;
    })");
  EXPECT_EQ(count(ptx, "add.rn.f32") + count(ptx, "add.f32"), 5U) << ptx;
  EXPECT_EQ(count(ptx, ".pragma \"nounroll\""), 1U) << ptx;
}

// A step is not known to be positive, but the loop terminates, so it can be unrolled.
TEST(PtxLoops, LoopsInStridesAreUnrolled) {
  const char* const body = R"(
      float sum = 0;
      for (int i = begin; i < end; i += step) sum += a[i];
      *out = sum;
    })";
  const std::string ptx =
      ptx_of(std::string("kernel void k(global const float* a, global float* out, int begin, int end, "
                         "int step) {") +
             body);
  EXPECT_EQ(count(ptx, "ld.global"), 5U) << ptx;
}

// Each product is added where it is computed, although the sum is used behind a branch only: the values that are multiplied would otherwise
// all stay in registers until then.
TEST(PtxLoops, SumsAreNotPutOff) {
  const std::string ptx = ptx_of(R"(
    kernel void k(global float* restrict out, global const float* restrict a, int n) {
      local float part[64];
      const int id = get_local_id(0);
      float sum = 0;
      for (int i = 0; i < 4; ++i) {
        part[id] = a[i * 64 + id];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; ++j) sum = fma(part[id + j * 3], part[j * 8], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (id < n) out[id] = sum;
    })");
  const std::size_t last = ptx.rfind("bar.sync"), first = ptx.find("fma.rn.f32");
  EXPECT_EQ(count(ptx, "fma.rn.f32"), 32U) << ptx;
  EXPECT_LT(first, ptx.rfind("bar.sync", last - 1)) << ptx;
  EXPECT_EQ(count(ptx.substr(last), "fma.rn.f32"), 0U) << ptx;
}

// The loop over a column increments a pointer by the length of a row, which one instruction extends and scales.
TEST(PtxLoops, PointersWalkColumns) {
  const std::string ptx = ptx_of(R"(
    kernel void k(global const float* a, global float* out, int n, int rows) {
      float sum = 0;
      for (int i = 0; i < rows; ++i) sum += a[i * n];
      *out = sum;
    })");
  const std::size_t first = ptx.find("ld.global"), begin = ptx.rfind("$L__BB", first);
  const std::string loop = ptx.substr(begin, ptx.find("bra", first) - begin);
  EXPECT_EQ(count(loop, "ld.global"), 4U) << ptx;
  EXPECT_EQ(count(loop, "mul") + count(loop, "mad"), 0U) << ptx;
  EXPECT_EQ(count(ptx, "shl.b64"), 0U) << ptx;
  EXPECT_GE(count(ptx, "mul.wide.s32"), 1U) << ptx;
}

// An infinite loop is kept.
// Accesses at constant distances, the constant of one of which is added ahead of the loop: one address, so that ptxas may load all values
// before it stores one.
TEST(PtxLoops, CopiesOfALoopShareAnAddress) {
  const std::string ptx = ptx_of(R"(
    kernel void k(global float* a, int n) {
      int id = get_global_id(0);
      for (int i = 0; i < n; i += 2) {
        global float *first = &a[id + i * 4096], *second = &a[id + (i + 1) * 4096];
        float x = *first, y = *second;
        *first = x * y;
        *second = x + y;
      }
    })");
  const std::size_t first = ptx.find("ld.global"), begin = ptx.rfind("$L__BB", first);
  const std::string loop = ptx.substr(begin, ptx.find("bra", first) - begin);
  EXPECT_EQ(count(loop, "ld.global"), 8U) << ptx;
  EXPECT_EQ(count(loop, "add.s64"), 1U) << ptx;
}

TEST(PtxLoops, LoopsThatCannotBeLeftStay) {
  const std::string ptx = ptx_of(R"(
    kernel void k(global int* out, int n) {
      if (n == 7) for (;;) {}
      *out = n;
    })");
  EXPECT_GE(count(ptx, "bra"), 2U) << ptx;
}

// The base index of a ring buffer is scaled once.
TEST(PtxLoops, PlacesOfLocalArraysAreScaledOnce) {
  const auto ptx = [](const std::string& places) {
    return ptx_of(R"(
      kernel void k(local float* ring, global float* out, uint at) {
        *out = )" +
                  places + "; }");
  };
  const std::string several =
      ptx("ring[(at + 1) & 255] + ring[(at + 2) & 255] + ring[(at + 3) & 255] + ring[((at + 4) & 255) ^ 3]");
  EXPECT_EQ(count(several, "shl.b32") + count(several, "shl.b64") + count(several, "mul.wide"), 1U)
      << several;
  EXPECT_EQ(testing::ptxas_complaint(several, 90), "");
  // A single access gains nothing, and the constant of a sum is an offset in the address.
  const std::string one = ptx("ring[(at + 1) & 255]");
  EXPECT_EQ(count(one, "and.b32"), 1U) << one;
  EXPECT_EQ(count(one, "255"), 1U) << one;
  // Indices whose byte offset may exceed 32 bits are not changed.
  const std::string far = ptx("ring[(at + 1) & 0x7fffffff] + ring[(at + 2) & 0x7fffffff]");
  EXPECT_EQ(count(far, "2147483647"), 2U) << far;
}

// CLK_ADDRESS_NONE guarantees coordinates within the image; CLK_ADDRESS_CLAMP_TO_EDGE does not.
TEST(PtxLoops, PlacesThatAreWithinAnImageAreNotClamped) {
  const auto ptx = [](const std::string& addressing) {
    return ptx_of("constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | " + addressing +
                  R"( | CLK_FILTER_NEAREST;
    kernel void k(read_only image2d_t image, global float* out, int x, int y) {
      *out = read_imagef(image, s, (int2)(x, y)).x;
    })");
  };
  const std::string none = ptx("CLK_ADDRESS_NONE"), edge = ptx("CLK_ADDRESS_CLAMP_TO_EDGE");
  EXPECT_EQ(count(none, "min.s32") + count(none, "max.s32"), 0U) << none;
  EXPECT_EQ(count(edge, "min.s32") + count(edge, "max.s32"), 4U) << edge;
}

// §7.4: 1 / x needs 2.5 ulp; rcp.approx has one.
TEST(PtxLoops, ReciprocalsAreApproximate) {
  const auto ptx = [](const std::string& dividend) {
    return ptx_of("kernel void k(global float* a, global float4* b) { *a = " + dividend +
                  " / a[1]; *b = " + dividend + " / b[1]; }");
  };
  EXPECT_EQ(count(ptx("1.0f"), "rcp.approx.f32"), 5U) << ptx("1.0f");
  EXPECT_EQ(count(ptx("1.0f"), "div."), 0U);
  EXPECT_EQ(count(ptx("3.0f"), "div.full.f32"), 5U) << ptx("3.0f");
  const std::string correct =
      built("kernel void k(global float* a) { *a = 1.0f / a[1]; }", "-cl-fp32-correctly-rounded-divide-sqrt")
          .uniform.ptx;
  EXPECT_EQ(count(correct, "approx"), 0U) << correct;
}

}  // namespace
}  // namespace clcuda::compiler
