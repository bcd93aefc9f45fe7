// SPDX-License-Identifier: Apache-2.0
// Integer functions (OpenCL C 6.15.3) of each type and width, compared with 128-bit arithmetic: all pairs of 8-bit values, samples of wider
// types.
#include <gtest/gtest.h>

#include <functional>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

using Wide = __int128;

template <class T>
Wide clamp_to(Wide value) {
  return std::min<Wide>(std::max<Wide>(value, std::numeric_limits<T>::min()), std::numeric_limits<T>::max());
}
template <class T>
constexpr int kBitCount = 8 * sizeof(T);
template <class T>
Wide unsigned_value(T x) {
  return bits_of(x);
}
// An arithmetic shift by the width. A signed number of 128 bits cannot hold the product of two ulong.
template <class T>
Wide high_half(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    return (Wide{x} * y) >> kBitCount<T>;
  else
    return static_cast<Wide>((static_cast<unsigned __int128>(x) * y) >> kBitCount<T>);
}
template <class T>
T saturated_mad(T x, T y, T z) {
  if constexpr (std::is_signed_v<T>) return static_cast<T>(clamp_to<T>(Wide{x} * y + z));
  const unsigned __int128 sum = static_cast<unsigned __int128>(x) * y + z;
  return sum > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : static_cast<T>(sum);
}

template <class T>
struct Function {
  const char* call;  // of x, y and z
  std::function<T(T, T, T)> reference;
};

// Results are compared as bits of T: abs and abs_diff return the unsigned type, which is stored as T.
template <class T>
std::vector<Function<T>> functions() {
  return {
      {"abs(x)", [](T x, T, T) { return static_cast<T>(x < 0 ? -Wide{x} : Wide{x}); }},
      {"abs_diff(x, y)", [](T x, T y, T) { return static_cast<T>(x > y ? Wide{x} - y : Wide{y} - x); }},
      {"add_sat(x, y)", [](T x, T y, T) { return static_cast<T>(clamp_to<T>(Wide{x} + y)); }},
      {"sub_sat(x, y)", [](T x, T y, T) { return static_cast<T>(clamp_to<T>(Wide{x} - y)); }},
      {"hadd(x, y)", [](T x, T y, T) { return static_cast<T>((Wide{x} + y) >> 1); }},
      {"rhadd(x, y)", [](T x, T y, T) { return static_cast<T>((Wide{x} + y + 1) >> 1); }},
      {"clamp(x, min(y, z), max(y, z))",
       [](T x, T y, T z) { return std::min(std::max(x, std::min(y, z)), std::max(y, z)); }},
      {"clz(x)", [](T x, T, T) { return static_cast<T>(std::countl_zero(bits_of(x))); }},
      {"ctz(x)", [](T x, T, T) { return static_cast<T>(std::countr_zero(bits_of(x))); }},
      {"popcount(x)", [](T x, T, T) { return static_cast<T>(std::popcount(bits_of(x))); }},
      {"max(x, y)", [](T x, T y, T) { return std::max(x, y); }},
      {"min(x, y)", [](T x, T y, T) { return std::min(x, y); }},
      {"mul_hi(x, y)", [](T x, T y, T) { return static_cast<T>(high_half(x, y)); }},
      {"mad_hi(x, y, z)", [](T x, T y, T z) { return static_cast<T>(high_half(x, y) + z); }},
      {"mad_sat(x, y, z)", [](T x, T y, T z) { return saturated_mad(x, y, z); }},
      {"rotate(x, y)",
       [](T x, T y, T) {
         return from_bits<T>(std::rotl(bits_of(x), static_cast<int>(unsigned_value(y) % kBitCount<T>)));
       }},
      {"bitselect(x, y, z)", [](T x, T y, T z) { return static_cast<T>((x & ~z) | (y & z)); }},
  };
}

template <class T>
struct Inputs {
  std::vector<T> x, y, z;
};
template <class T>
Inputs<T> inputs(std::mt19937_64& random) {
  Inputs<T> in;
  in.x = test_values<T>(1 << 16, random);
  in.y = in.x;
  in.z = in.x;
  std::shuffle(in.y.begin(), in.y.end(), random);
  std::shuffle(in.z.begin(), in.z.end(), random);
  for (std::size_t i = 0; sizeof(T) == 1 && i < in.x.size(); ++i) {
    in.x[i] = static_cast<T>(i);
    in.y[i] = static_cast<T>(i >> 8);
  }
  return in;
}

template <class T>
std::string kernels() {
  std::string text;
  int number = 0;
  for (const Function<T>& function : functions<T>()) {
    for (const int width : kWidths) {
      const std::string n = width == 1 ? "" : std::to_string(width), scalar = TypeTraits<T>::name,
                        type = vector_type<T>(width);
      const auto load = [&](const char* name, const char* from) {
        return "  " + type + " " + name + " = " +
               (width == 1 ? from + std::string("[i]") : "vload" + n + "(i, " + from + ")") + ";\n";
      };
      const std::string value = "as_" + type + "(" + function.call + ")";
      text += "kernel void f" + std::to_string(number) + "_" + std::to_string(width) + "(global const " +
              scalar + "* a, global const " + scalar + "* b, global const " + scalar + "* c, global " +
              scalar + "* out) {\n  size_t i = get_global_id(0);\n" + load("x", "a") + load("y", "b") +
              load("z", "c") + "  " +
              (width == 1 ? "out[i] = " + value : "vstore" + n + "(" + value + ", i, out)") + ";\n}\n";
    }
    ++number;
  }
  return text;
}

template <class Tag>
struct IntegerFunctions : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
};
using Types = testing::Types<Of<cl_char>, Of<cl_uchar>, Of<cl_short>, Of<cl_ushort>, Of<cl_int>, Of<cl_uint>,
                             Of<cl_long>, Of<cl_ulong>>;
TYPED_TEST_SUITE(IntegerFunctions, Types);

TYPED_TEST(IntegerFunctions, AllWidths) {
  using T = typename TypeParam::Type;
  Inputs<T> in = inputs<T>(this->random);
  DeviceProgram program(kernels<T>());
  int number = 0;
  for (const Function<T>& function : functions<T>()) {
    for (const int width : kWidths) {
      const std::size_t count = width == 1 ? in.x.size() : 4096 / width / 64 * 64;
      std::vector<T> out(count * width);
      program.run(("f" + std::to_string(number) + "_" + std::to_string(width)).c_str(),
                  {1, {count, 1, 1}, {64, 1, 1}}, {in.x, in.y, in.z, out});
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(+out[i], +function.reference(in.x[i], in.y[i], in.z[i]))
            << function.call << " on " << vector_type<T>(width) << ": " << +in.x[i] << ", " << +in.y[i]
            << ", " << +in.z[i];
      }
    }
    ++number;
  }
}

// mul24 and mad24 on values of 24 bits; upsample from every type.
TEST(IntegerFunctions24, ProductsOf24Bits) {
  std::mt19937_64 random{std::random_device{}()};
  DeviceProgram program(
      "kernel void k(global const int4* a, global const int4* b, global const int4* c, global int4* out) {\n"
      "  size_t i = get_global_id(0);\n  out[4 * i] = mul24(a[i], b[i]);\n  out[4 * i + 1] = mad24(a[i], "
      "b[i], c[i]);\n"
      "  out[4 * i + 2] = as_int4(mul24(as_uint4(a[i]) & 0xffffff, as_uint4(b[i]) & 0xffffff));\n"
      "  out[4 * i + 3] = (int4)(mad24(a[i].x, b[i].x, c[i].x), mul24(a[i].y, b[i].y), 0, 0);\n}");
  constexpr std::size_t kCount = 256;
  std::vector<cl_int> a(4 * kCount), b(a), c(a), out(16 * kCount);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<cl_int>(random()) >> 8;
    b[i] = static_cast<cl_int>(random()) >> 8;
    c[i] = static_cast<cl_int>(random());
  }
  program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {a, b, c, out});
  const auto product = [&](std::size_t i) { return static_cast<cl_uint>(a[i]) * static_cast<cl_uint>(b[i]); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t at = i / 4 * 16 + i % 4;
    ASSERT_EQ(static_cast<cl_uint>(out[at]), product(i));
    ASSERT_EQ(static_cast<cl_uint>(out[at + 4]), product(i) + static_cast<cl_uint>(c[i]));
    ASSERT_EQ(static_cast<cl_uint>(out[at + 8]), (a[i] & 0xffffffu) * (b[i] & 0xffffffu));
    if (i % 4 == 0) ASSERT_EQ(static_cast<cl_uint>(out[at + 12]), product(i) + static_cast<cl_uint>(c[i]));
    if (i % 4 == 1) ASSERT_EQ(static_cast<cl_uint>(out[at + 12]), product(i));
  }
}

TEST(Upsample, JoinsHalves) {
  DeviceProgram program(
      "kernel void k(global const uint* a, global const uint* b, global long* out) {\n  size_t i = "
      "get_global_id(0);\n"
      "  uint x = a[i], y = b[i];\n  out[6 * i] = upsample((int)x, y);\n  out[6 * i + 1] = "
      "as_long(upsample(x, y));\n"
      "  out[6 * i + 2] = upsample((short)x, (ushort)y);\n  out[6 * i + 3] = upsample((ushort)x, "
      "(ushort)y);\n"
      "  out[6 * i + 4] = upsample((char)x, (uchar)y);\n  out[6 * i + 5] = upsample(as_uchar4(x), "
      "as_uchar4(y)).w;\n}");
  std::mt19937_64 random{std::random_device{}()};
  std::vector<cl_uint> a = test_values<cl_uint>(256, random), b = a;
  std::shuffle(b.begin(), b.end(), random);
  std::vector<cl_long> out(6 * a.size());
  program.run("k", {1, {a.size(), 1, 1}, {64, 1, 1}}, {a, b, out});
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto both = static_cast<cl_long>(cl_ulong{a[i]} << 32 | b[i]);
    const cl_uint words = a[i] << 16 | (b[i] & 0xffff);
    const auto bytes = static_cast<cl_short>(a[i] << 8 | (b[i] & 0xff));
    const std::vector<cl_long> wanted{both,  both,  static_cast<cl_int>(words),
                                      words, bytes, static_cast<cl_ushort>(a[i] >> 24 << 8 | b[i] >> 24)};
    for (std::size_t k = 0; k < 6; ++k)
      ASSERT_EQ(out[6 * i + k], wanted[k]) << k << ": " << a[i] << ", " << b[i];
  }
}

}  // namespace
}  // namespace clcuda::test
