// SPDX-License-Identifier: Apache-2.0
// Arithmetic that rounds towards zero, down and up. The operation and the change of the rounding mode around
// it are one piece of assembly (rounded_*.h), because a compiler may move floating-point operations past a
// change of mode.
#include "ptx/execute/directed_rounding.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "ptx/execute/narrow_float.h"
#if defined(__aarch64__)
#include "ptx/execute/rounded_aarch64.h"
#else
#include "ptx/execute/rounded_x86_64.h"
#endif

namespace clcuda::ptx {
namespace {

// The result rounded to nearest, replaced by its neighbour if the exact value is on the other side. `order` is the comparison of the result
// with the exact value.
template <typename T, Rounding mode>
T adjust(T nearest, int order, bool negative) {
  const bool too_high = order > 0 && (mode == Rounding::down || (mode == Rounding::to_zero && !negative));
  const bool too_low = order < 0 && (mode == Rounding::up || (mode == Rounding::to_zero && negative));
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (too_high) return std::nextafter(nearest, -kInfinity);
  if (too_low) return std::nextafter(nearest, kInfinity);
  return nearest;
}

template <typename To, typename From, Rounding mode>
To from_integer(From value) {
  const To nearest = static_cast<To>(value);
  if (value == 0) return nearest;
  // 2^64, the largest rounded result, fits in 128 bits.
  const __int128 difference = static_cast<__int128>(nearest) - static_cast<__int128>(value);
  return adjust<To, mode>(nearest, difference > 0 ? 1 : difference < 0 ? -1 : 0, value < 0);
}

template <Rounding mode>
float single_from_double(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  return adjust<float, mode>(nearest, back > value ? 1 : back < value ? -1 : 0, value < 0);
}

template <typename From, Rounding mode>
std::uint16_t half_from(From value) {
  return narrow<5, 10>(value, mode);
}
template <typename From, Rounding mode>
std::uint16_t bfloat_from(From value) {
  return narrow<8, 7>(value, mode);
}

template <Rounding mode>
void add_functions(std::vector<RuntimeFunction>& list) {
  const auto put = [&](const char* name, auto* function) {
    const std::string suffix = mode == Rounding::down ? "_rm" : mode == Rounding::up ? "_rp" : "_rz";
    list.push_back({"clcuda_" + (name + suffix), reinterpret_cast<void*>(function)});
  };
  put("add_f32", rounded::add<float, mode>);
  put("add_f64", rounded::add<double, mode>);
  put("mul_f32", rounded::mul<float, mode>);
  put("mul_f64", rounded::mul<double, mode>);
  put("div_f32", rounded::div<float, mode>);
  put("div_f64", rounded::div<double, mode>);
  put("sqrt_f32", rounded::sqrt<float, mode>);
  put("sqrt_f64", rounded::sqrt<double, mode>);
  put("fma_f32", rounded::fma<float, mode>);
  put("fma_f64", rounded::fma<double, mode>);
  put("cvt_f32_s64", from_integer<float, std::int64_t, mode>);
  put("cvt_f32_u64", from_integer<float, std::uint64_t, mode>);
  put("cvt_f64_s64", from_integer<double, std::int64_t, mode>);
  put("cvt_f64_u64", from_integer<double, std::uint64_t, mode>);
  put("cvt_f32_f64", single_from_double<mode>);
  put("cvt_f16_f32", half_from<float, mode>);
  put("cvt_f16_f64", half_from<double, mode>);
  put("cvt_bf16_f32", bfloat_from<float, mode>);
  put("cvt_bf16_f64", bfloat_from<double, mode>);
}

}  // namespace

std::span<const RuntimeFunction> directed_rounding_functions() {
  static const std::vector<RuntimeFunction> functions = [] {
    std::vector<RuntimeFunction> list;
    add_functions<Rounding::down>(list);
    add_functions<Rounding::up>(list);
    add_functions<Rounding::to_zero>(list);
    return list;
  }();
  return functions;
}

}  // namespace clcuda::ptx
