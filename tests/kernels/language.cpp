// SPDX-License-Identifier: Apache-2.0
// Features of the language besides functions: constants, inline PTX as in NVIDIA's OpenCL, hints to the compiler, and the address space of
// a generic pointer.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <climits>
#include <cmath>
#include <limits>
#include <regex>
#include <type_traits>

#include "support/programs.h"

namespace {

class Language : public test::Programs {
 protected:
  // Runs `kernel void k(global T* out, …)` with one work-item, and returns the contents of `out`.
  template <class T, class... Arguments>
  std::vector<T> run(cl_program program, std::size_t count, const Arguments&... arguments) const {
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer out = make_buffer(std::vector<T>(count));
    set_arguments(kernel, out, arguments...);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<T>(out, count);
  }
  static std::string stores(const std::vector<std::string>& expressions) {
    std::string text;
    for (const std::string& expression : expressions) text += "  *out++ = " + expression + ";\n";
    return text;
  }
};

// OpenCL C 6.15.2.1 and 6.15.3.1.
TEST_F(Language, Constants) {
  const std::vector<std::pair<const char*, double>> numbers = {
      {"FLT_MAX", FLT_MAX},
      {"FLT_MIN", FLT_MIN},
      {"FLT_EPSILON", FLT_EPSILON},
      {"MAXFLOAT", FLT_MAX},
      {"HUGE_VALF", HUGE_VAL},
      {"INFINITY", HUGE_VAL},
      {"M_E_F", float(M_E)},
      {"M_LOG2E_F", float(M_LOG2E)},
      {"M_LOG10E_F", float(M_LOG10E)},
      {"M_LN2_F", float(M_LN2)},
      {"M_LN10_F", float(M_LN10)},
      {"M_PI_F", float(M_PI)},
      {"M_PI_2_F", float(M_PI_2)},
      {"M_PI_4_F", float(M_PI_4)},
      {"M_1_PI_F", float(M_1_PI)},
      {"M_2_PI_F", float(M_2_PI)},
      {"M_2_SQRTPI_F", float(M_2_SQRTPI)},
      {"M_SQRT2_F", float(M_SQRT2)},
      {"M_SQRT1_2_F", float(M_SQRT1_2)},
      {"DBL_MAX", DBL_MAX},
      {"DBL_MIN", DBL_MIN},
      {"DBL_EPSILON", DBL_EPSILON},
      {"HUGE_VAL", HUGE_VAL},
      {"M_E", M_E},
      {"M_LOG2E", M_LOG2E},
      {"M_LOG10E", M_LOG10E},
      {"M_LN2", M_LN2},
      {"M_LN10", M_LN10},
      {"M_PI", M_PI},
      {"M_PI_2", M_PI_2},
      {"M_PI_4", M_PI_4},
      {"M_1_PI", M_1_PI},
      {"M_2_PI", M_2_PI},
      {"M_2_SQRTPI", M_2_SQRTPI},
      {"M_SQRT2", M_SQRT2},
      {"M_SQRT1_2", M_SQRT1_2},
      {"HALF_MAX", 65504},
      {"HALF_MIN", 0x1p-14},
      {"HALF_EPSILON", 0x1p-10},
      {"M_PI_H", static_cast<double>(static_cast<_Float16>(M_PI))},
      {"M_E_H", static_cast<double>(static_cast<_Float16>(M_E))},
      {"FLT_DIG", 6},
      {"FLT_MANT_DIG", 24},
      {"FLT_MAX_10_EXP", 38},
      {"FLT_MAX_EXP", 128},
      {"FLT_MIN_10_EXP", -37},
      {"FLT_MIN_EXP", -125},
      {"FLT_RADIX", 2},
      {"DBL_DIG", 15},
      {"DBL_MANT_DIG", 53},
      {"DBL_MAX_10_EXP", 308},
      {"DBL_MAX_EXP", 1024},
      {"DBL_MIN_10_EXP", -307},
      {"DBL_MIN_EXP", -1021},
      {"HALF_DIG", 3},
      {"HALF_MANT_DIG", 11},
      {"HALF_MAX_10_EXP", 4},
      {"HALF_MAX_EXP", 16},
      {"HALF_MIN_10_EXP", -4},
      {"HALF_MIN_EXP", -13},
      {"HALF_RADIX", 2},
      {"CHAR_BIT", 8},
      {"CHAR_MAX", CHAR_MAX},
      {"CHAR_MIN", CHAR_MIN},
      {"SCHAR_MAX", SCHAR_MAX},
      {"UCHAR_MAX", UCHAR_MAX},
      {"SHRT_MAX", SHRT_MAX},
      {"SHRT_MIN", SHRT_MIN},
      {"USHRT_MAX", USHRT_MAX},
      {"INT_MAX", INT_MAX},
      {"INT_MIN", INT_MIN},
      {"UINT_MAX", UINT_MAX},
      {"LONG_MIN", double(LONG_MIN)},
      {"LONG_MAX", double(LONG_MAX)},
      {"ULONG_MAX", double(ULONG_MAX)},
      {"vec_step(char)", 1},
      {"vec_step(int3)", 4},
      {"vec_step((double8)(0))", 8},
      {"sizeof(half3)", 8},
      {"sizeof(size_t)", 8},
      {"sizeof(long16)", 128},
      {"__ENDIAN_LITTLE__", 1},
      {"CL_VERSION_3_0", 300},
      {"__OPENCL_VERSION__", 310},
      {"__LINE__ > 0", 1}};
  std::vector<std::string> names;
  std::vector<double> expected;
  for (const auto& [name, number] : numbers) {
    names.emplace_back(name);
    expected.push_back(number);
  }
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    #if !defined(FP_FAST_FMAF) || !defined(FP_FAST_FMA) || !defined(FP_FAST_FMA_HALF)
    #error fma is fast
    #endif
    #if defined(__FAST_RELAXED_MATH__) || defined(__EMBEDDED_PROFILE__)
    #error it is neither
    #endif
    kernel void k(global double* out) {
      out[0] = isnan(NAN); ++out;
    )" + stores(names) + "}";
  expected.insert(expected.begin(), 1);
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL1.2"})
    EXPECT_EQ(expected, run<double>(build(source, options), expected.size())) << options;
  build("#ifndef __FAST_RELAXED_MATH__\n#error\n#endif\nkernel void k() {}", "-cl-fast-relaxed-math");
}

// Each constraint letter for a register and each kind of operand.
TEST_F(Language, InlinePtx) {
  const auto a = static_cast<cl_int>(test::random_engine()() % 100000),
             b = static_cast<cl_int>(test::random_engine()() % 100000);
  const char* source = R"(
    kernel void k(global long* out, int a, int b) {
      int r; long l; float f; double d; short h; uint low, high; uchar c = (uchar)b;
      asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); *out++ = r;
      asm volatile("add.s64 %0, %1, %2;" : "=l"(l) : "l"((long)a << 32), "l"((long)b)); *out++ = l;
      asm("add.f32 %0, %1, %2;" : "=f"(f) : "f"((float)a), "f"(0.5f)); *out++ = as_int(f);
      asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(d) : "d"((double)a), "d"((double)b), "d"(0.25)); *out++ = as_long(d);
      asm("add.s16 %0, %1, %2;" : "=h"(h) : "h"((short)a), "h"((short)b)); *out++ = h;
      asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "n"(42)); *out++ = r;
      asm("mad.lo.s32 %0, %0, %1, 7;" : "+r"(r) : "r"(b)); *out++ = r;
      asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"((long)a << 32 | b)); *out++ = low; *out++ = high;
      asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.s32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); *out++ = r;
      asm("add.s32 %[sum], %[x], %[y];" : [sum] "=r"(r) : [x] "r"(a), [y] "r"((int)c)); *out++ = r;
      global int* p = (global int*)out++;
      __asm__ __volatile__("st.global.v2.u32 [%0], {%1, %2};" : : "l"(p), "r"(a), "r"(b) : "memory");
      uint2 v; asm("prmt.b32 %0, %2, %3, 0x5410; not.b32 %1, %2;" : "=r"(v.x), "=&r"(v.y) : "r"(a), "r"(b));
      *out++ = v.x; *out++ = v.y;
      uint id = 99; asm("mov.u32 %0, %%tid.x;" : "=r"(id)); *out++ = id;
    })";
  const auto bits = [](auto value) {
    std::conditional_t<sizeof value == 4, cl_int, cl_long> same;
    std::memcpy(&same, &value, sizeof same);
    return static_cast<cl_long>(same);
  };
  const cl_long pair = cl_long{a} << 32 | b;
  const std::vector<cl_long> expected = {
      a + b,
      (cl_long{a} << 32) + b,
      bits(static_cast<float>(a) + 0.5F),
      bits(static_cast<double>(a) * b + 0.25),
      static_cast<cl_short>(a + b),
      a + 42,
      static_cast<cl_int>(static_cast<cl_uint>(a + 42) * static_cast<cl_uint>(b) + 7),
      b,
      a,
      a < b ? 1 : 2,
      a + static_cast<cl_uchar>(b),
      cl_long{b} << 32 | a,
      static_cast<cl_long>((static_cast<cl_uint>(b) << 16) | (static_cast<cl_uint>(a) & 0xffff)),
      static_cast<cl_long>(~static_cast<cl_uint>(a)),
      0};
  EXPECT_EQ(cl_long{b}, pair & 0xffffffff);
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-opt-disable"})
    EXPECT_EQ(expected, run<cl_long>(build(source, options), expected.size(), a, b)) << options;
}

// Loops with indirect loads, of each length up to several times the unroll factor: loop-carried values, values after the loop, and that
// none loads beyond its end (the last index is invalid).
TEST_F(Language, LoopsThatReadWhereToRead) {
  constexpr unsigned kCount = 27;
  std::vector<cl_uint> where = test::random_values<cl_uint>(kCount + 1);
  for (cl_uint& each : where) each %= kCount;
  where[kCount] = 0x7fffffff;
  const std::vector<cl_int> values = test::random_values<cl_int>(kCount);
  const test::Program program = build(R"(
    kernel void k(global int* out, global const uint* where, global const int* values, uint first, uint end) {
      int sum = 0;
      for (uint i = first; i < end; ++i) sum += values[where[i]] ^ where[i];
      out[0] = sum;
      int most = -1, at = -1;
      for (uint i = first; i < end; ++i) {
        const int value = values[where[i]] & 0xffff;
        if (value > most) { most = value; at = i; }
      }
      out[1] = most;
      out[2] = at;
      int before = 7, changes = 0, last = 3;
      for (ulong i = first; i < end; ++i) {
        last = values[where[i]];
        changes += (last ^ before) & 3;
        before = last;
      }
      out[3] = changes;
      out[4] = last;
      uint hash = 1;
      for (int i = (int)end - 1; i >= (int)first; --i) hash = hash * 31 + values[where[i]];
      out[5] = hash;
      int distance = 0;
      for (uint i = first; i < end; i += 3) distance = distance / 2 + values[where[i]];
      out[6] = distance;
    })");
  const test::Buffer places = make_buffer(where), numbers = make_buffer(values);
  for (cl_uint end = 0; end <= kCount; ++end) {
    for (const cl_uint first : {0U, 1U, 5U}) {
      cl_int sum = 0, most = -1, at = -1, before = 7, changes = 0, last = 3, distance = 0;
      cl_uint hash = 1, total = 0;
      for (cl_uint i = first; i < end; ++i) {
        const cl_int value = values[where[i]];
        total += static_cast<cl_uint>(value) ^ where[i];
        if ((value & 0xffff) > most) most = value & 0xffff, at = static_cast<cl_int>(i);
        changes += (value ^ before) & 3;
        before = last = value;
      }
      sum = static_cast<cl_int>(total);
      for (cl_uint i = end; i > first; --i) hash = hash * 31 + static_cast<cl_uint>(values[where[i - 1]]);
      for (cl_uint i = first; i < end; i += 3)
        distance =
            static_cast<cl_int>(static_cast<cl_uint>(distance / 2) + static_cast<cl_uint>(values[where[i]]));
      const std::vector<cl_int> expected = {sum,     most, at, changes, last, static_cast<cl_int>(hash),
                                            distance};
      EXPECT_EQ(run<cl_int>(program, 7, places, numbers, first, end), expected) << first << " to " << end;
    }
  }
}

// Identifiers of OpenCL C that PTX has for something else, of constants and functions.
TEST_F(Language, NamesThatPtxHas) {
  for (const char* options : {"", "-cl-opt-disable"}) {
    const test::Program program = build(
        "constant int _[2] = {1, 2}, WARP_SZ[2] = {3, 4}, k_param_0[2] = {5, 6};\n"
        "__attribute__((noinline)) int k_param_1(int a) { return a + 7; }\n"
        "kernel void k(global int* out, int i) {\n"
        "  out[0] = _[i & 1]; out[1] = WARP_SZ[i & 1]; out[2] = k_param_0[i & 1]; out[3] = k_param_1(i);\n"
        "}\n",
        options);
    EXPECT_EQ(run<cl_int>(program, 4, cl_int{5}), (std::vector<cl_int>{2, 4, 6, 12}));
  }
}

// An overload of the program's own with the types of one of the library's: the program calls it, the library's functions do not.
TEST_F(Language, OwnOverloadsOfLibraryFunctions) {
  const char* source =
      "__attribute__((overloadable)) float clamp(float x, float low, float high) { return x + low + high; }\n"
      "kernel void k(global float* out, float x) {\n"
      "  out[0] = clamp(x, 1.0f, 2.0f); out[1] = smoothstep(0.0f, 1.0f, x);\n"
      "}\n";
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ((std::vector<cl_float>{7, 1}), run<cl_float>(build(source, options), 2, cl_float{4}));
}

// cl_khr_expect_assume and unroll hints do not change results.
TEST_F(Language, HintsChangeNothing) {
  std::string loops;
  for (const std::string hint :
       {"#pragma unroll", "#pragma unroll 4", "#pragma unroll(3)", "#pragma unroll 1", "#pragma nounroll",
        "__attribute__((opencl_unroll_hint))", "__attribute__((opencl_unroll_hint(5)))",
        "__attribute__((opencl_unroll_hint(1)))", "_Pragma(\"unroll 2\")"})
    loops += "{ uint x = 1;\n" + hint + "\nfor (uint i = 0; i < n; ++i) x = x * 33 + i; *out++ = x; }\n";
  const test::Program program = build(R"(
    #if !__has_builtin(__builtin_expect) || !__has_builtin(__builtin_assume) || !defined(cl_nv_pragma_unroll)
    #error the extensions say how to ask
    #endif
    kernel void k(global uint* out, uint n) {)" +
                                      loops +
                                      R"(
      __builtin_assume(n < 1000);
      *out++ = __builtin_expect(n > 3, 1) ? n % 1000 : n + 7;
      *out++ = (uint)__builtin_expect((long)n, 5L);
      if (__builtin_expect_with_probability(n & 1, 1, 0.9)) *out++ = 1; else *out++ = 2;
      switch (__builtin_expect(n % 3, 2)) { case 0: *out = 10; break; case 1: *out = 11; break; default: *out = 12; }
    })");
  for (const cl_uint n : {0U, 1U, 3U, 4U, 15U, static_cast<cl_uint>(test::random_engine()() % 1000)}) {
    cl_uint x = 1;
    for (cl_uint i = 0; i < n; ++i) x = x * 33 + i;
    std::vector<cl_uint> expected(9, x);
    expected.insert(expected.end(), {n > 3 ? n : n + 7, n, n & 1 ? 1U : 2U, 10 + n % 3});
    EXPECT_EQ(expected, run<cl_uint>(program, expected.size(), n)) << n;
  }
}

// Structures passed by value to functions, which index them with values known at run time, modify them and pass them on.
TEST_F(Language, StructuresByValue) {
  const char* source = R"(
    typedef struct { char a; float3 v; char3 c; short3 s[3]; int n[5]; } Record;
    __attribute__((noinline)) int element(Record r, int i) { return r.n[i] + r.s[i % 3].y; }
    __attribute__((noinline)) int changed(Record r, int i) { r.n[i] += 1000; r.s[i % 3].y = i; return element(r, i) + r.c.z; }
    __attribute__((noinline)) Record made(Record r, int i) { r.n[i] = r.n[(i + 1) % 5]; r.v.z = changed(r, i); return r; }
    kernel void k(global int* out, int seed) {
      Record r;
      r.a = 1; r.v = (float3)(1, 2, 3); r.c = (char3)(4, 5, 6);
      for (int i = 0; i < 3; ++i) r.s[i] = (short3)(i, 10 * i + seed, 7);
      for (int i = 0; i < 5; ++i) r.n[i] = 100 * i + seed;
      for (int i = 0; i < 5; ++i) { *out++ = element(r, (i + seed) % 5); *out++ = changed(r, i); }
      Record other = made(r, seed % 5);
      *out++ = (int)other.v.z; *out++ = element(other, seed % 5); *out++ = r.n[seed % 5];
    })";
  const auto seed = static_cast<cl_int>(test::random_engine()() % 50);
  std::vector<cl_int> s, n, expected;
  for (cl_int i = 0; i < 3; ++i) s.push_back(10 * i + seed);
  for (cl_int i = 0; i < 5; ++i) n.push_back(100 * i + seed);
  const auto at = [](const std::vector<cl_int>& values, cl_int i) {
    return values[static_cast<std::size_t>(i)];
  };
  for (cl_int i = 0; i < 5; ++i) {
    const cl_int other = (i + seed) % 5;
    expected.push_back(at(n, other) + at(s, other % 3));
    expected.push_back(at(n, i) + 1000 + i + 6);
  }
  const cl_int last = seed % 5, next = at(n, (last + 1) % 5);
  expected.insert(expected.end(), {next + 1000 + last + 6, next + at(s, last % 3), at(n, last)});
  for (const char* options : {"-cl-std=CL3.0", "-cl-opt-disable"})
    EXPECT_EQ(expected, run<cl_int>(build(source, options), expected.size(), seed)) << options << " " << seed;
}

// Conversions of values with equal lower halves that are uniform: ptxas takes them for the same conversion.
TEST_F(Language, ConversionsOfWhatAllWorkItemsShare) {
  std::string source = "kernel void k(global uint* out, long n, double x) { uint r = 0; float sum = 0;\n";
  cl_uint folded = 0;
  float sum = 0;
  const cl_long n = 3;
  const double x = 10'000'000'001;  // neither half is zero
  const auto fold = [&](const std::string& bits, cl_uint value) {
    source += "r = rotate(r, 3u) ^ " + bits + ";\n";
    folded = std::rotl(folded, 3) ^ value;
  };
  for (int i = 1; i <= 12; ++i) {
    const cl_long high = cl_long{i} << 32;
    const std::string term = "(n + " + std::to_string(high) + ")";
    sum += static_cast<float>(n + high);
    source += "sum += convert_float" + term + ";\n";
    fold("as_uint((float)(ulong)" + term + ")", std::bit_cast<cl_uint>(static_cast<float>(n + high)));
  }
  for (int i = 0; i < 12; ++i) {
    const double scaled = std::ldexp(x, i - 14);
    const std::string bits = "as_double(as_long(x) + (" + std::to_string(i - 14) + "l << 52))";
    fold("as_uint((float)" + bits + ")", std::bit_cast<cl_uint>(static_cast<float>(scaled)));
    fold("(uint)" + bits, static_cast<cl_uint>(scaled));
    fold("(uint)convert_int_sat(-" + bits + ")", static_cast<cl_uint>(static_cast<cl_int>(-scaled)));
  }
  for (int i = 0; i < 12; ++i) {
    const double exact = std::ldexp(1e10, i);  // exactly representable as a float
    fold("as_uint(convert_float_rtp(ldexp(1e10, " + std::to_string(i) + ")))",
         std::bit_cast<cl_uint>(static_cast<float>(exact)));
  }
  source += "out[0] = r; out[1] = as_uint(sum); }";
  const std::vector<cl_uint> expected = {folded, std::bit_cast<cl_uint>(sum)};
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ(expected, run<cl_uint>(build(source, options), 2, n, x)) << options;
}

// Which of several values with equal lower halves is converted is known only at run time.
TEST_F(Language, ConversionsOfMergedNumbers) {
  std::string source =
      "kernel void k(global uint* out, long n, double x, uint chosen) { uint r = 0; long v, w;\n";
  cl_uint folded = 0;
  const cl_long n = 7;
  const double x = 10'000'000'001;
  const auto chosen = static_cast<cl_uint>(test::random_engine()());
  const auto fold = [&](const std::string& number, float value) {
    source += "r = rotate(r, 3u) ^ as_uint((float)(" + number + "));\n";
    folded = std::rotl(folded, 3) ^ std::bit_cast<cl_uint>(value);
  };
  for (int i = 0; i < 12; ++i) {
    const bool is_chosen = (chosen >> i & 1) != 0;
    const std::string choice = "chosen >> " + std::to_string(i) + " & 1",
                      high = std::to_string(i + 1) + "l << 32";
    const cl_long more = n + (cl_long{i + 1} << 32);
    fold(choice + " ? n + (" + high + ") : n", static_cast<float>(is_chosen ? more : n));
    fold(choice + " ? -x : x", static_cast<float>(is_chosen ? -x : x));
    source += "v = n; w = 5; if (" + choice + ") { out[1] = 1; v += " + high + "; w += " + high + "; }\n";
    fold("v", static_cast<float>(is_chosen ? more : n));
    fold("w", static_cast<float>(is_chosen ? more - 2 : 5));
  }
  source += "out[0] = r; out[1] = 0; }";
  const std::vector<cl_uint> expected = {folded, 0};
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ(expected, run<cl_uint>(build(source, options), 2, n, x, chosen)) << options << " " << chosen;
}

// For some lanes the order of the operands is known, but only after the vector has been scalarized.
TEST_F(Language, DifferencesOfLanesWhoseOrderIsKnown) {
  const cl_ushort4 x = {{0x9000, 0x9000, 0x9000, 0x9000}}, y = {{0x1234, 0x2345, 0xfe00, 0x9abc}};
  const std::vector<cl_ushort> expected = {0x1233, 0x8fff - 0x2345, 0xfe00, 0x9abc};
  for (const std::string difference : {"abs_diff(high, y)", "abs_diff(y, high)",
                                       "max(high, y) - min(high, y)", "high > y ? high - y : y - high"}) {
    const std::string source =
        "kernel void k(global ushort4* out, ushort4 x, ushort4 y) {\n"
        "  const ushort4 high = mul_hi(x, (ushort4)(2, 0xffff, 1, 0)); *out = " +
        difference + "; }";
    for (const char* options : {"", "-cl-opt-disable"})
      EXPECT_EQ(expected, run<cl_ushort>(build(source, options), 4, x, y)) << difference << options;
  }
}

// The lesser value minus the greater one.
TEST_F(Language, NegativeDifferencesOfLanesWhoseOrderIsKnown) {
  constexpr cl_uint kX = 0x12345678, kY = 0x1357;
  const cl_uint a[] = {kX & 0xff, kX, kX >> 3, kX | 0x10000}, b[] = {kY | 0x100, kY, kY * 3, kY & 0xffff};
  std::vector<cl_uint> expected;
  for (const unsigned lane : {0U, 1U, 2U, 3U})
    expected.push_back(std::min(a[lane], b[lane]) - std::max(a[lane], b[lane]));
  for (const std::string difference : {"b - a, a - b, a < b", "b - a, a - b, a <= b", "a - b, b - a, a > b",
                                       "a - b, b - a, b <= a", "a - b, b - a, b < a"}) {
    const std::string source =
        "kernel void k(global uint4* out, uint x, uint y) {\n"
        "  const uint4 a = (uint4)(x & 0xff, x, x >> 3, x | 0x10000);\n"
        "  const uint4 b = (uint4)(y | 0x100, y, y * 3, y & 0xffff);\n"
        "  *out = select(" +
        difference + "); }";
    for (const char* options : {"", "-cl-opt-disable"})
      EXPECT_EQ(expected, run<cl_uint>(build(source, options), 4, kX, kY)) << difference << options;
  }
}

// Sums of a value that depends on a condition: on it, on its negation, and with vectors.
TEST_F(Language, SumsOfWhatDependsOnAConditionAreChosen) {
  const std::vector<cl_int> in = {5, -3, 7, 0, -8, 2, 9, -1};
  const test::Buffer buffer = make_buffer(in);
  const auto sums = [&](const std::string& source) {
    const test::Program program =
        build("kernel void k(global int* out, global const int* a) {\n" + source + "}");
    return run<cl_int>(program, 4, buffer);
  };
  const std::string
      start =
          "  int x = a[6], y = x, z = x, w = x;\n  for (int i = 0; i < 8; ++i) {\n    const int v = a[i];\n",
      end = "  }\n  vstore4((int4)(x, y, z, w), 0, out);\n";
  EXPECT_EQ(std::vector<cl_int>({14, 4, 32, -14}),
            sums(start + "    x += v >= 0; y -= v >= 0; z += v > 0 ? v : 0; w -= v > 0 ? v : 0;\n" + end));
  EXPECT_EQ(
      std::vector<cl_int>({-3, 21, 15, 0}),
      sums(start + "    x += v > 0 ? 0 : v; y -= v > 0 ? 0 : v; z |= v > 0 ? v : 0; w ^= v > 0 ? v : 0;\n" +
           end));
  EXPECT_EQ(std::vector<cl_int>({14, -10, 12, 13}),
            sums(start +
                 "    x += (v > 0) + (v == 0); y = (v > 0 ? v : 0) - y; z += (v > 0) - (v < 0) + (v > 6); w "
                 "= (v < 0 ? v : 0) - w;\n" +
                 end));
  EXPECT_EQ(std::vector<cl_int>({-3, 2, 14, -6}),
            sums("  int4 x = 0;\n  for (int i = 0; i < 2; ++i) {\n    const int4 v = vload4(i, a);\n"
                 "    x -= v > 3; x += select((int4)(0, 1, 6, -3), (int4)0, v > 100); x.x -= 2;\n  }\n  "
                 "vstore4(x, 0, out);\n"));
}

// OpenCL C 6.15.3: results of these functions wrap; the optimizer must not treat that as overflow of int.
TEST_F(Language, ProductsOfIntegerFunctionsWrap) {
  const test::Program program = build(R"(
    kernel void k(global int* out, int a, int b, int z) {
      out[0] = mul24(a, a) < 0; out[1] = mad24(a, a, 1) < 0; out[2] = mad24(a & 1, b & 1, z) < z;
      out[3] = mad_hi(b & 0x7fffffff, b & 0x7fffffff, z) < z;
    })");
  EXPECT_EQ((std::vector<cl_int>{1, 1, 1, 1}),
            run<cl_int>(program, 4, cl_int{50'001}, CL_INT_MAX, CL_INT_MAX));
}

// -x and |x| in the type of x, used as signed numbers: for the least value both are that value itself.
template <class T>
struct Opposites {
  using Bits = std::make_unsigned_t<T>;

  static std::string source(const std::string& type) {
    std::string text = "kernel void k(global long* out, " + type + " x, " + type + " y) {\n  const " + type +
                       " opposite = as_" + type + "((u" + type + ")(0 - as_u" + type +
                       "(x))), magnitude = as_" + type + "(abs(x)), below = as_" + type + "((u" + type +
                       ")(0 - abs(x))), other = as_" + type + "((u" + type + ")(0 - as_u" + type +
                       "(y))), third = x ^ y;\n";
    for (const std::string name : {"x", "other", "below"})
      for (const std::string call : {"max", "min"})
        text += "  *out++ = " + call + "(" + call + "(" + name + ", opposite), third);\n  *out++ = " + call +
                "(" + call + "(" + name + ", below), third);\n";
    for (const std::string name : {"opposite", "magnitude", "below"})
      for (const std::string expression : {"", " > y", " < y", " < 0", " >= 0", " == x", " > -5", " == -5",
                                           " >> 1", " / 3", " % (y & 63 | 1)"})
        text += "  *out++ = " + name + expression + ";\n";
    for (const std::string name : {"opposite", "magnitude", "below"})
      for (const std::string call :
           {"max($, y)", "max($, (T)-3)", "min($, (T)-3)", "min($, (T)0)", "as_int(convert_float($))"})
        text += "  *out++ = " +
                std::regex_replace(std::regex_replace(call, std::regex("\\$"), name), std::regex("T"), type) +
                ";\n";
    for (const std::string rounding : {"", "_rtz", "_rtp", "_rtn"})
      text += "  *out++ = as_int(convert_float" + rounding + "(abs(x)));\n";
    text += "  const " + type + " chosen = x < 0 ? (" + type + ")(0 - as_u" + type +
            "(x)) : x, lesser = x < 0 ? x : (" + type + ")(0 - as_u" + type + "(x));\n";
    for (const std::string name : {"chosen", "lesser"})
      for (const std::string expression : {" % (y == 0 ? 7 : y & 63 | 1)", " < 0", " > -5"})
        text += "  *out++ = " + name + expression + ";\n";
    text += "  const " + type + "3 one = 1, four = 4;\n";
    for (const std::string condition : {"abs((T3)(x, y, x))", "abs((T4)(y, x, y, x)).s102"})
      text += "  vstore3(convert_long3(select(one, four, " +
              std::regex_replace(condition, std::regex("T"), type) + ")), 0, out);\n  out += 3;\n";
    return text + "  *out = abs(x);\n}";
  }

  static std::vector<cl_long> expected(T x, T y) {
    const T opposite = static_cast<T>(Bits{} - static_cast<Bits>(x)), magnitude = x < 0 ? opposite : x,
            below = x < 0 ? x : opposite, other = static_cast<T>(Bits{} - static_cast<Bits>(y)),
            third = x ^ y;
    std::vector<cl_long> all;
    for (const T each : {x, other, below})
      all.insert(all.end(), {std::max({each, opposite, third}), std::max({each, below, third}),
                             std::min({each, opposite, third}), std::min({each, below, third})});
    for (const cl_long each : {opposite, magnitude, below})
      all.insert(all.end(), {each, each > y, each < y, each<0, each >= 0, each == x, each> - 5, each == -5,
                             each >> 1, each / 3, each % ((y & 63) | 1)});
    for (const T each : {opposite, magnitude, below})
      all.insert(all.end(), {std::max(each, y), std::max(each, T{-3}), std::min(each, T{-3}),
                             std::min(each, T{0}), std::bit_cast<cl_int>(static_cast<float>(each))});
    const auto exact = static_cast<Bits>(magnitude);
    const auto nearest = static_cast<float>(exact);
    const float lower = static_cast<long double>(nearest) > static_cast<long double>(exact)
                            ? std::nextafter(nearest, 0.F)
                            : nearest;
    const float upper = static_cast<long double>(nearest) < static_cast<long double>(exact)
                            ? std::nextafter(nearest, HUGE_VALF)
                            : nearest;
    for (const float rounded : {nearest, lower, upper, lower}) all.push_back(std::bit_cast<cl_int>(rounded));
    for (const cl_long each : {magnitude, below})
      all.insert(all.end(), {each % (y == 0 ? 7 : (y & 63) | 1), each<0, each> - 5});
    for (const T chosen : {x, y, x, x, y, y}) all.push_back(chosen == std::numeric_limits<T>::min() ? 4 : 1);
    all.push_back(static_cast<cl_long>(exact));
    return all;
  }
};

class OppositeNumbers : public Language {
 protected:
  template <class T>
  void check(const char* type) const {
    constexpr T kLeast = std::numeric_limits<T>::min(), kGreatest = std::numeric_limits<T>::max();
    for (const char* options : {"", "-cl-opt-disable"}) {
      const test::Program program = build(Opposites<T>::source(type), options);
      for (const T x :
           {kLeast, T{kLeast + 1}, T{-5}, T{-4}, T{-3}, T{-1}, T{0}, T{1}, T{5}, T{100}, kGreatest}) {
        for (const T y : {kLeast, T{-1}, T{0}, T{1}, T{77}, kGreatest}) {
          const std::vector<cl_long> expected = Opposites<T>::expected(x, y);
          EXPECT_EQ(expected, run<cl_long>(program, expected.size(), x, y))
              << type << ' ' << cl_long{x} << ' ' << cl_long{y} << options;
        }
      }
    }
  }
};

TEST_F(OppositeNumbers, OfChars) { check<cl_char>("char"); }
TEST_F(OppositeNumbers, OfShorts) { check<cl_short>("short"); }
TEST_F(OppositeNumbers, OfInts) { check<cl_int>("int"); }
TEST_F(OppositeNumbers, OfLongs) { check<cl_long>("long"); }

// A phi with |x| from one predecessor.
TEST_F(Language, MagnitudesOfOneWay) {
  const char* source = R"(
    kernel void k(global int* out, int x, int way) {
      int size = 5;
      if (way) { size = as_int(abs(x)); out[1] = size; }
      out[0] = size < 0 ? 77 : 55;
      for (int i = 0; i < way; ++i) { out[2 + i] = size >= 0 ? 11 : 22; size = as_int(abs(x ^ out[1])); }
    })";
  constexpr cl_int kLeast = std::numeric_limits<cl_int>::min();
  for (const char* options : {"", "-cl-opt-disable"}) {
    const test::Program program = build(source, options);
    EXPECT_EQ((std::vector<cl_int>{77, kLeast, 22, 11}), run<cl_int>(program, 4, kLeast, 2)) << options;
    EXPECT_EQ((std::vector<cl_int>{55, 9, 11, 11}), run<cl_int>(program, 4, -9, 2)) << options;
    EXPECT_EQ((std::vector<cl_int>{55, 0, 0, 0}), run<cl_int>(program, 4, kLeast, 0)) << options;
  }
}

// ptxas counts -0.0f among the numbers without a sign, and takes it for 0.0f where a comparison of floats chooses it.
TEST_F(Language, NegativeZerosThatAreChosen) {
  const char* source = R"(
    #pragma OPENCL FP_CONTRACT OFF
    void put(global int* out, float x) { out[0] = as_int(fabs(x)); out[1] = as_int(x); }
    kernel void k(global int* out, int one, int other, float y) {
      const float x = one ? 3.0f : -0.0f, threshold = one ? 0.0f : 2000.0f;
      put(out + 20, -step(threshold, y));
      put(out + 22, y < threshold ? -0.0f : 1.0f);
      put(out + 24, sign(y < threshold ? -fabs(y) * 0.0f : y));
      put(out, x);
      put(out + 2, other ? x : 5.0f);
      put(out + 4, other ? x : y * y);
      put(out + 6, other ? x : fabs(y));
      put(out + 8, fmin(x, other ? 0.0f : 1.0f));
      put(out + 10, x * (other ? 2.0f : 7.0f));
      put(out + 12, x + (other ? -0.0f : 7.0f));
      const float2 xs = one ? (float2)(-0.0f, 4) : (float2)(0, -0.0f);
      put(out + 14, xs.x);
      put(out + 16, xs.y);
      float last = -0.0f;
      for (int i = 0; i < one; ++i) last = fabs(last) * -0.0f;
      put(out + 18, last);
    })";
  const float y = static_cast<float>(1 + test::random_engine()() % 1000);
  const auto bits = [](std::initializer_list<float> values) {
    std::vector<cl_int> result;
    for (float x : values) {
      result.push_back(std::bit_cast<cl_int>(std::fabs(x)));
      result.push_back(std::bit_cast<cl_int>(x));
    }
    return result;
  };
  for (const char* options : {"", "-cl-opt-disable"}) {
    const test::Program program = build(source, options);
    for (int both = 0; both < 4; ++both) {
      const bool one = both & 1, other = both & 2;
      const float x = one ? 3.0F : -0.0F;
      std::vector<cl_int> expected = bits({x, other ? x : 5, other ? x : y * y, other ? x : y});
      std::vector<cl_int> seen = run<cl_int>(program, 26, cl_int{one}, cl_int{other}, y);
      // Of zeros with different signs, either is the lesser.
      if (!one && other && seen[9] == 0) seen[9] = std::bit_cast<cl_int>(-0.0F);
      for (cl_int each : bits({one ? (other ? 0.0F : 1.0F) : x, x * (other ? 2 : 7), x + (other ? -0.0F : 7),
                               one ? -0.0F : 0.0F, one ? 4.0F : -0.0F, -0.0F, one ? -1.0F : -0.0F,
                               one ? 1.0F : -0.0F, one ? 1.0F : -0.0F}))
        expected.push_back(each);
      EXPECT_EQ(expected, seen) << options << " " << both << " " << y;
    }
  }
}

// min and max of x and a constant, of vector lanes and scalars, compared with that constant and also used as a value.
template <class T>
struct Bounded {
  static constexpr int kBounds[] = {0, 5, 100};

  static std::string source(const std::string& type) {
    std::string text = "kernel void k(global int* out, global const " + type + "* given) {\n";
    for (const std::string call : {"min", "max"})
      text +=
          "  " + type + "4 " + call + "s = " + call + "(vload4(0, given), (" + type + "4)(0, 5, 100, 0));\n";
    for (const std::string call : {"min", "max"})
      for (const std::string lane : {"0", "1", "2"}) {
        const std::string bound = std::to_string(kBounds[std::stoi(lane)]), one = call + "s.s" + lane;
        text += "  *out++ = " + one + ";\n  *out++ = " + one + " == " + bound + " ? given[4] : given[5];\n" +
                "  if (" + one + " != " + bound + ") *out = 1;\n  ++out;\n";
      }
    return text + "}";
  }

  static std::vector<cl_int> expected(T x) {
    std::vector<cl_int> all;
    for (const bool greatest : {false, true})
      for (const int bound : kBounds) {
        const int value = greatest ? std::max<int>(x, bound) : std::min<int>(x, bound);
        all.insert(all.end(), {value, value == bound ? 11 : 22, value != bound});
      }
    return all;
  }
};

class BoundedNumbers : public Language {
 protected:
  template <class T>
  void check(const char* type) const {
    for (const char* options : {"", "-cl-opt-disable"}) {
      const test::Program program = build(Bounded<T>::source(type), options);
      for (const int number : {-32768, -129, -128, -8327, -1, 0, 1, 4, 5, 6, 99, 100, 101, 127, 255, 32767}) {
        const T x = static_cast<T>(number);
        const std::vector<cl_int> expected = Bounded<T>::expected(x);
        const test::Buffer given = make_buffer(std::vector<T>{x, x, x, x, 11, 22});
        EXPECT_EQ(expected, run<cl_int>(program, expected.size(), given)) << type << ' ' << number << options;
      }
    }
  }
};

TEST_F(BoundedNumbers, OfChars) { check<cl_char>("char"); }
TEST_F(BoundedNumbers, OfUchars) { check<cl_uchar>("uchar"); }
TEST_F(BoundedNumbers, OfShorts) { check<cl_short>("short"); }
TEST_F(BoundedNumbers, OfUshorts) { check<cl_ushort>("ushort"); }
TEST_F(BoundedNumbers, OfInts) { check<cl_int>("int"); }

// long long is reserved (OpenCL C 6.3.1); Clang gives it 128 bits.
TEST_F(Language, ConversionsOf128Bits) {
  const char* source = R"(
    kernel void k(global float* out, float x, long n) {
      long long whole = (long long)x, product = (long long)n * n;
      unsigned long long positive = (unsigned long long)(x < 0 ? -x : x);
      *out++ = (float)whole; *out++ = (float)(long)(whole >> 70); *out++ = (float)product;
      *out++ = (float)(product * -3); *out++ = (float)positive; *out++ = (float)(positive >> 3);
    })";
  constexpr float kX = 0x1.abcdefp100F;
  constexpr cl_long kN = 0x123456789abcdef;
  const auto product = static_cast<float>(static_cast<__int128>(kN) * kN),
             tripled = static_cast<float>(static_cast<__int128>(kN) * kN * -3);
  for (const char* options : {"", "-cl-opt-disable"}) {
    const test::Program program = build(source, options);
    for (const float sign : {1.0F, -1.0F}) {
      const auto high = static_cast<float>(static_cast<__int128>(sign * kX) >> 70);
      EXPECT_EQ((std::vector<float>{sign * kX, high, product, tripled, kX, kX / 8}),
                run<float>(program, 6, sign * kX, kN))
          << options;
    }
  }
}

// OpenCL C 6.15.10: pointers to each address space, passed to a function with a generic parameter.
TEST_F(Language, WhereAGenericPointerPoints) {
  const test::Program program = build(R"(
    global int of_program;
    __attribute__((noinline)) int where(void* p) {
      int* q = (int*)p;
      return (to_global(q) == q) * 1 + (to_local(q) == q) * 2 + (to_private(q) == q) * 4 +
             (to_global(q) != 0) * 8 + (to_local(q) != 0) * 16 + (to_private(q) != 0) * 32 +
             (get_fence(p) == CLK_LOCAL_MEM_FENCE) * 64 + (get_fence(p) == CLK_GLOBAL_MEM_FENCE) * 128;
    }
    kernel void k(global int* out, local int* given) {
      local int of_group; int own[2] = {3, 4}; static global int of_function;
      out[0] = where(out); out[1] = where(&of_program); out[2] = where(&of_function); out[3] = where(&of_group);
      out[4] = where(given); out[5] = where(own + out[0] % 2);
      given[0] = 5; of_group = 6;
      out[6] = *to_global((int*)out) == out[0]; out[7] = *to_local((int*)given) + *to_local((int*)&of_group);
      out[8] = *to_private(own + 1);
    })");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_int>(9));
  set_argument(kernel, 0, out);
  CL_OK(clSetKernelArg(kernel, 1, 64, nullptr));
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  const auto found = contents<cl_int>(out, 9);
  const cl_int global = 1 + 8 + 128, local = 2 + 16 + 64;
  EXPECT_EQ((std::vector<cl_int>{global, global, global, local, local}),
            std::vector<cl_int>(found.begin(), found.begin() + 5));
  EXPECT_EQ(4 + 32, found[5] & 63);
  EXPECT_EQ((std::vector<cl_int>{1, 11, 4}), std::vector<cl_int>(found.begin() + 6, found.end()));
}

// Undefined in C99 (6.5, paragraph 7), but hash functions and others rely on it when they pad a block of words by bytes or halves. Strict
// aliasing applies only if the program asks for it.
TEST_F(Language, WordsThatAreWrittenInPartsHaveThem) {
  const char* source =
      "kernel void k(global uint* out, uint at, uint first) {\n"
      "  uint words[16];\n"
      "  for (uint i = 0; i < 16; ++i) words[i] = first + i;\n"
      "  ((ushort*)words)[at] = 0x80;\n"
      "  ((uchar*)words)[at ^ 3] = 7;\n"
      "  for (uint i = 0; i < 16; ++i) out[i] = words[i];\n"
      "}\n";
  const auto at = static_cast<cl_uint>(test::random_engine()() % 32),
             first = static_cast<cl_uint>(test::random_engine()());
  std::vector<cl_uint> expected(16);
  for (cl_uint i = 0; i < 16; ++i) expected[i] = first + i;
  auto* bytes = reinterpret_cast<unsigned char*>(expected.data());
  bytes[2 * at] = 0x80;
  bytes[2 * at + 1] = 0;
  bytes[at ^ 3] = 7;
  for (const char* options :
       {"", "-fno-strict-aliasing", "-fstrict-aliasing -fno-strict-aliasing", "-cl-opt-disable"})
    EXPECT_EQ(expected, run<cl_uint>(build(source, options), 16, at, first)) << options;
  for (const char* options : {"-fstrict-aliasing", "-cl-strict-aliasing"}) build(source, options);
}

// The compiler knows the library's atomic functions by such names.
TEST_F(Language, FunctionsMayBeNamedLikeOnesWithAMemoryOrder) {
  const char* source =
      "int next12memory_order(void) { return 5; }\n"
      "kernel void k(global int* out) { out[0] = next12memory_order(); }\n";
  for (const char* options : {"", "-cl-opt-disable"})
    EXPECT_EQ(std::vector<cl_int>{5}, run<cl_int>(build(source, options), 1)) << options;
}

}  // namespace
