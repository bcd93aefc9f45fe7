// SPDX-License-Identifier: Apache-2.0
// PTX avoids what ptxas miscompiles (docs/testing.md has a list).
#include <regex>
#include <set>

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

// The values written by a floating-point instruction of which narrower stores in `ptx` store a part.
std::string converted_stores(const std::string& ptx) {
  static const std::regex written(R"(\.f(?:16|32|64) \t(%r[sd]?\d+),)"),
      stored(R"(\bst\.\S*\.b(8|16|32) \t\[.*\], (%r([sd]?)\d+);)");
  std::set<std::string> floats;
  for (std::sregex_iterator each(ptx.begin(), ptx.end(), written), end; each != end; ++each)
    floats.insert((*each)[1]);
  std::string found;
  for (std::sregex_iterator each(ptx.begin(), ptx.end(), stored), end; each != end; ++each) {
    const int width = (*each)[3] == "d" ? 64 : (*each)[3] == "s" ? 16 : 32;
    if (std::stoi((*each)[1]) < width && floats.contains((*each)[2])) found += (*each)[0].str() + "\n";
  }
  return found;
}

// ptxas would treat such stores as conversions to integers.
TEST(PtxasBugs, PartsOfFloatingPointValuesAreStoredAsBits) {
  const std::string ptx = built(R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    struct __attribute__((packed)) Padded { double value; int rest; };
    struct __attribute__((packed)) Odd { char c; float f; half h; float4 v; double2 d; };
    kernel void k(local struct Padded* a, global struct Odd* b, global ushort* low, global uint* words, float x, double y, half z) {
      a[0].value += y; b[0].f += x; b[0].h += z; b[0].v += x; b[0].d += y;
      low[0] = (ushort)as_uint(x + 1); words[0] = (uint)as_ulong(y + 1);
      ulong bits = as_ulong(y * 3);
      if (low[1]) bits = as_ulong(y + 5);
      words[1] = (uint)bits; ((global uchar*)words)[8] = (uchar)as_ushort((half)(z + z));
    })")
                              .uniform.ptx;
  EXPECT_GE(count(ptx, "add.rn.f64"), 4U);
  EXPECT_EQ(converted_stores(ptx), "") << ptx;
  EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
}

// ptxas takes -0.0f for 0.0f where it is chosen as a float.
TEST(PtxasBugs, NegativeZerosAreChosenAsBits) {
  const CompiledProgram program = built(R"(
      kernel void k(global float* out, global const float* in, int c) {
        out[0] = -step(in[0], in[1]);
        const float x = in[2];
        out[1] = c ? -0.0f : x;
        out[2] = c ? 0.0f : x;
        out[3] = x;
      })",
                                        "-cl-std=CL3.0");
  EXPECT_EQ(count(program.uniform.ptx, "0x80000000"), 2U) << program.uniform.ptx;
  EXPECT_EQ(count(program.uniform.ptx, "selp.b32"), 2U) << program.uniform.ptx;
  EXPECT_EQ(count(program.uniform.ptx, "selp.f32"), 1U) << program.uniform.ptx;
  EXPECT_EQ(count(program.uniform.ptx, "0f80000000"), 0U) << program.uniform.ptx;
}

// ptxas may put the pair into the register of one of the numbers.
TEST(PtxasBugs, PairsOfLowerHalvesAreMadeOfWholeRegisters) {
  const CompiledProgram program = built(R"(
      kernel void k(global ushort2* out, global uint* whole, uint x, ulong y, ushort z) {
        out[0] = (ushort2)(x, y) & (ushort2)(0xff, 0xff);
        out[1] = (ushort2)(z, x) ^ (ushort2)(5, 6);
        whole[0] = x; whole[1] = (uint)y;
      }
      kernel void of_halves(global ushort2* out, ushort x, ushort y) {
        out[0] = (ushort2)(x, y) & (ushort2)(0xff, 0xff);
      })",
                                        "-cl-std=CL3.0");
  EXPECT_EQ(count(program.uniform.ptx, "0x5410U"), 2U) << program.uniform.ptx;
  EXPECT_EQ(count(program.uniform.ptx, ", {%rs"), 1U) << program.uniform.ptx;
}

// ptxas treats two conversions as equal if their operands differ only in the upper half of a register pair.
TEST(PtxasBugs, ConversionsOfEqualLowerHalvesAreKeptApart) {
  const std::string text = R"(
    kernel void k(global float* f, global int* i, long n, double x) {
      f[0] = (float)(n << 32); f[1] = (float)(n ^ 3l << 40); f[2] = (float)as_double(as_long(x) + (5l << 52));
      f[3] = convert_float_rtp(3e10); f[4] = convert_float_rtz(as_long((int2)(7, i[9])));
      i[0] = (int)as_double((n & ~0xffffffffl) | 5); i[1] = convert_int_sat_rte(as_double((ulong)n << 50));
      float2 both = convert_float2((long2)(n << 33, i[8])); f[5] = both.x; f[6] = both.y;
      long turns = n; float sum = 0;
      _Pragma("unroll 1") for (int t = i[7]; t > 0; --t) { sum += (float)turns; turns += 1l << 32; }
      f[7] = sum; f[8] = (float)(n + 0x500000001);
    }
    kernel void plain(global float* f, global double* p, global long* q, int m) {
      const size_t id = get_global_id(0);
      f[id] = (float)p[id] + (float)q[id] + (float)(q[m] + 1) + (float)(q[m] & 255 ^ -2) + (float)(p[m] * 2.0) + convert_float_rtp(p[0]) + (float)m;
    })";
  for (const bool optimised : {true, false}) {
    const std::string ptx =
        built(text, optimised ? "-cl-std=CL3.0" : "-cl-std=CL3.0 -cl-opt-disable").uniform.ptx;
    const std::size_t plain = ptx.find(".visible .entry plain");
    ASSERT_NE(plain, std::string::npos);
    EXPECT_EQ(count(ptx.substr(0, plain), "%lanemask_lt"), 1U) << ptx;
    // One is the program's own; library functions that are called get numbers of which nothing is known.
    EXPECT_EQ(count(ptx.substr(0, plain), "and.b64"), optimised ? 12U : 7U) << ptx;
    EXPECT_EQ(count(ptx.substr(plain), "%lanemask_lt"), 0U) << ptx;
    EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
  }
}

// The same if all candidates of a selection share their lower half, and if the lower half is merged from two values.
TEST(PtxasBugs, ConversionsOfMergedLowerHalvesAreKeptApart) {
  const auto tied = [](const std::string& body, const char* options) {
    const std::string ptx =
        built("kernel void k(global float* f, global volatile int* i, long n, long m, double x, double y) {" +
                  body + "}",
              options)
            .uniform.ptx;
    EXPECT_EQ(testing::ptxas_complaint(ptx, 90), "");
    EXPECT_EQ(count(ptx, "%lanemask_lt"), count(ptx, "and.b64") ? 1U : 0U) << ptx;
    return count(ptx, "and.b64");
  };
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    EXPECT_EQ(tied("f[0] = (float)(i[0] ? n : n ^ 3l << 40);", options), 1U) << options;
    EXPECT_EQ(tied("f[0] = (float)(i[0] ? x : -x);", options), 1U) << options;
    EXPECT_EQ(tied("long v = n; if (i[0]) { i[1] = 1; v += 1l << 32; } f[0] = (float)v;", options), 1U)
        << options;
    EXPECT_EQ(tied("long v = n; switch (i[0]) { case 1: i[1] = 1; v ^= 1l << 40; break; case 2: i[2] = 1; v "
                   "+= 5l << 32; }"
                   "f[0] = (float)v;",
                   options),
              1U)
        << options;
    EXPECT_EQ(tied("long v = m, w = m ^ 1l << 41; if (i[0]) { v = n; w = n ^ 1l << 40; } f[0] = (float)v; "
                   "f[1] = (float)w;",
                   options),
              2U)
        << options;
    EXPECT_EQ(
        tied("long v = n, w = m; if (i[0]) { i[1] = 1; v = m; w = n ^ 1l << 40; } else w ^= 1l << 41;"
             "f[0] = (float)v; f[1] = (float)w;"
             "double a = x, b = -x; if (i[2]) { i[1] = 1; a = y; b = -y; } f[2] = (float)a; f[3] = (float)b;",
             options),
        2U)
        << options;
    EXPECT_EQ(tied("long v = n, w = m, t = n; if (i[0]) { i[1] = 1; v = m; w = n; t = 1; } f[0] = (float)v; "
                   "f[1] = (float)w;"
                   "f[2] = (float)t; f[3] = (float)(i[1] ? n : m); f[4] = (float)(i[2] ? n : m); f[5] = "
                   "(float)(i[3] ? 1.0 : x);",
                   options),
              0U)
        << options;
  }
}

}  // namespace
}  // namespace clcuda::compiler
