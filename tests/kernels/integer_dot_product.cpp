// SPDX-License-Identifier: Apache-2.0
// cl_khr_integer_dot_product: each combination of signs, packed and unpacked, with and without saturating accumulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "device_program.h"

namespace clcuda::test {
namespace {

long byte_of(cl_uint word, int index, bool is_signed) {
  const auto byte = static_cast<cl_uchar>(word >> 8 * index);
  return is_signed ? static_cast<cl_char>(byte) : byte;
}

TEST(IntegerDotProduct, AllForms) {
  if (!device_has_extension("cl_khr_integer_dot_product"))
    GTEST_SKIP() << "the device does not have cl_khr_integer_dot_product";
  std::mt19937_64 random{std::random_device{}()};
  for (const bool a_signed : {false, true}) {
    for (const bool b_signed : {false, true}) {
      const bool is_signed = a_signed || b_signed;
      const std::string result = is_signed ? "int" : "uint";
      const std::string kinds = std::string(a_signed ? "s" : "u") + (b_signed ? "s" : "u") + "_" + result;
      const std::string a = a_signed ? "as_char4(a[i])" : "as_uchar4(a[i])",
                        b = b_signed ? "as_char4(b[i])" : "as_uchar4(b[i])";
      DeviceProgram program(
          "kernel void dots(global const uint* a, global const uint* b, global const " + result +
          "* sum, global " + result + "* out) {\n  size_t i = get_global_id(0);\n  out[4 * i] = dot(" + a +
          ", " + b + ");\n  out[4 * i + 1] = dot_acc_sat(" + a + ", " + b +
          ", sum[i]);\n  out[4 * i + 2] = dot_4x8packed_" + kinds +
          "(a[i], b[i]);\n  out[4 * i + 3] = dot_acc_sat_4x8packed_" + kinds + "(a[i], b[i], sum[i]);\n}");
      Range range;
      range.local[0] = 64;
      range.global[0] = 2048;
      std::vector<cl_uint> first(range.total()), second(range.total()), sum(range.total()),
          out(4 * range.total());
      for (std::size_t i = 0; i < first.size(); ++i) {
        first[i] = i % 7 ? static_cast<cl_uint>(random()) : i % 2 ? 0xFFFFFFFF : 0x80808080;
        second[i] = i % 5 ? static_cast<cl_uint>(random()) : i % 2 ? 0xFFFFFFFF : 0x7F7F7F7F;
        // Accumulators near the ends, where the sum saturates, as often as others.
        const auto near = static_cast<cl_uint>(random() % 100000);
        sum[i] = i % 3 == 0   ? static_cast<cl_uint>(random())
                 : i % 3 == 1 ? (is_signed ? 0x7FFFFFFF : 0xFFFFFFFF) - near
                              : (is_signed ? 0x80000000 : 0) + near;
      }
      program.run("dots", range, {first, second, sum, out});
      const long low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
      for (std::size_t i = 0; i < first.size(); ++i) {
        long dot = 0;
        for (int k = 0; k < 4; ++k) dot += byte_of(first[i], k, a_signed) * byte_of(second[i], k, b_signed);
        const long start = is_signed ? static_cast<cl_int>(sum[i]) : static_cast<long>(sum[i]);
        const long saturated = std::min(std::max(dot + start, low), high);
        ASSERT_EQ(out[4 * i], static_cast<cl_uint>(dot)) << kinds << " " << first[i] << " " << second[i];
        ASSERT_EQ(out[4 * i + 2], static_cast<cl_uint>(dot)) << kinds;
        ASSERT_EQ(out[4 * i + 1], static_cast<cl_uint>(saturated)) << kinds << " " << dot << " + " << start;
        ASSERT_EQ(out[4 * i + 3], static_cast<cl_uint>(saturated)) << kinds << " " << dot << " + " << start;
      }
    }
  }
}

}  // namespace
}  // namespace clcuda::test
