// SPDX-License-Identifier: Apache-2.0
// Arithmetic that rounds towards zero, down and up. The operation and the change of the rounding mode around
// it are one piece of assembly, because a compiler may move floating-point operations past a change of mode.
#include "ptx/execute/directed_rounding.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "ptx/execute/narrow_float.h"

namespace clcuda::ptx {
namespace {

// MXCSR with all exceptions masked and one of the rounding modes.
constexpr std::uint32_t kDown = 0x1f80 | 1 << 13, kUp = 0x1f80 | 2 << 13, kToZero = 0x1f80 | 3 << 13;

struct SavedMode {
  std::uint32_t mode;
  SavedMode() { asm volatile("stmxcsr %0" : "=m"(mode)); }
};

#define CLCUDA_ROUNDED(name, single, twice)                        \
  template <typename T, std::uint32_t mode>                        \
  T name(T a, T b) {                                               \
    const SavedMode saved;                                         \
    const std::uint32_t wanted = mode;                             \
    if constexpr (sizeof(T) == 4)                                  \
      asm volatile("ldmxcsr %2\n\t" single " %1, %0\n\tldmxcsr %3" \
                   : "+x"(a)                                       \
                   : "x"(b), "m"(wanted), "m"(saved.mode));        \
    else                                                           \
      asm volatile("ldmxcsr %2\n\t" twice " %1, %0\n\tldmxcsr %3"  \
                   : "+x"(a)                                       \
                   : "x"(b), "m"(wanted), "m"(saved.mode));        \
    return a;                                                      \
  }

CLCUDA_ROUNDED(add, "addss", "addsd")
CLCUDA_ROUNDED(mul, "mulss", "mulsd")
CLCUDA_ROUNDED(div, "divss", "divsd")
CLCUDA_ROUNDED(sqrt_of_second, "sqrtss", "sqrtsd")
#undef CLCUDA_ROUNDED

template <typename T, std::uint32_t mode>
T sqrt(T a) {
  return sqrt_of_second<T, mode>(a, a);
}

template <typename T, std::uint32_t mode>
T fma(T a, T b, T c) {
  if (!__builtin_cpu_supports("fma")) {  // glibc's fma follows the mode in which it is called
    const SavedMode saved;
    const std::uint32_t wanted = mode;
    asm volatile("ldmxcsr %0" : : "m"(wanted) : "memory");
    volatile T result = std::fma(a, b, c);
    asm volatile("ldmxcsr %0" : : "m"(saved.mode) : "memory");
    return result;
  }
  const SavedMode saved;
  const std::uint32_t wanted = mode;
  if constexpr (sizeof(T) == 4)
    asm volatile("ldmxcsr %3\n\tvfmadd213ss %2, %1, %0\n\tldmxcsr %4"
                 : "+x"(a)
                 : "x"(b), "x"(c), "m"(wanted), "m"(saved.mode));
  else
    asm volatile("ldmxcsr %3\n\tvfmadd213sd %2, %1, %0\n\tldmxcsr %4"
                 : "+x"(a)
                 : "x"(b), "x"(c), "m"(wanted), "m"(saved.mode));
  return a;
}

// A result to nearest, moved to its neighbour where the exact value lies on the other side. `order` compares
// result with exact.
template <typename T, std::uint32_t mode>
T adjust(T nearest, int order, bool negative) {
  const bool too_high = order > 0 && (mode == kDown || (mode == kToZero && !negative));
  const bool too_low = order < 0 && (mode == kUp || (mode == kToZero && negative));
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (too_high) return std::nextafter(nearest, -kInfinity);
  if (too_low) return std::nextafter(nearest, kInfinity);
  return nearest;
}

template <typename To, typename From, std::uint32_t mode>
To from_integer(From value) {
  const To nearest = static_cast<To>(value);
  if (value == 0) return nearest;
  // 2^64, the highest that rounding gives, fits 128 bits.
  const __int128 difference = static_cast<__int128>(nearest) - static_cast<__int128>(value);
  return adjust<To, mode>(nearest, difference > 0 ? 1 : difference < 0 ? -1 : 0, value < 0);
}

template <std::uint32_t mode>
float single_from_double(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  return adjust<float, mode>(nearest, back > value ? 1 : back < value ? -1 : 0, value < 0);
}

template <std::uint32_t mode>
constexpr Rounding kRounding = mode == kDown ? Rounding::down
                               : mode == kUp ? Rounding::up
                                             : Rounding::to_zero;

template <typename From, std::uint32_t mode>
std::uint16_t half_from(From value) {
  return narrow<5, 10>(value, kRounding<mode>);
}
template <typename From, std::uint32_t mode>
std::uint16_t bfloat_from(From value) {
  return narrow<8, 7>(value, kRounding<mode>);
}

template <std::uint32_t mode>
void add_functions(std::vector<RuntimeFunction>& list) {
  const auto put = [&](const char* name, auto* function) {
    const std::string suffix = mode == kDown ? "_rm" : mode == kUp ? "_rp" : "_rz";
    list.push_back({"clcuda_" + (name + suffix), reinterpret_cast<void*>(function)});
  };
  put("add_f32", add<float, mode>);
  put("add_f64", add<double, mode>);
  put("mul_f32", mul<float, mode>);
  put("mul_f64", mul<double, mode>);
  put("div_f32", div<float, mode>);
  put("div_f64", div<double, mode>);
  put("sqrt_f32", sqrt<float, mode>);
  put("sqrt_f64", sqrt<double, mode>);
  put("fma_f32", fma<float, mode>);
  put("fma_f64", fma<double, mode>);
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
    add_functions<kDown>(list);
    add_functions<kUp>(list);
    add_functions<kToZero>(list);
    return list;
  }();
  return functions;
}

}  // namespace clcuda::ptx
