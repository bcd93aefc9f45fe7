// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "ptx/execute/narrow_float.h"

// One operation under a rounding mode, as one piece of assembly. glibc's fma follows the mode in which it is called.
namespace clcuda::ptx::rounded {

// MXCSR with all exceptions masked and one of the rounding modes.
constexpr std::uint32_t mode_of(Rounding rounding) {
  const std::uint32_t bits = rounding == Rounding::down ? 1 : rounding == Rounding::up ? 2 : 3;
  return 0x1f80 | bits << 13;
}

struct SavedMode {
  std::uint32_t mode;
  SavedMode() { asm volatile("stmxcsr %0" : "=m"(mode)); }
};

#define CLCUDA_ROUNDED(name, single, twice)                        \
  template <typename T, Rounding rounding>                         \
  T name(T a, T b) {                                               \
    const SavedMode saved;                                         \
    const std::uint32_t wanted = mode_of(rounding);                \
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

template <typename T, Rounding rounding>
T sqrt(T a) {
  return sqrt_of_second<T, rounding>(a, a);
}

template <typename T, Rounding rounding>
T fma(T a, T b, T c) {
  const SavedMode saved;
  const std::uint32_t wanted = mode_of(rounding);
  if (!__builtin_cpu_supports("fma")) {
    asm volatile("ldmxcsr %0" : : "m"(wanted) : "memory");
    volatile T result = std::fma(a, b, c);
    asm volatile("ldmxcsr %0" : : "m"(saved.mode) : "memory");
    return result;
  }
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

}  // namespace clcuda::ptx::rounded
