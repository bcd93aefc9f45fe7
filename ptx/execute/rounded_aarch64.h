// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/execute/narrow_float.h"

// One operation under a rounding mode, as one piece of assembly.
namespace clcuda::ptx::rounded {

// FPCR with one of the rounding modes: no exception is trapped, nothing is flushed, NaNs are propagated.
constexpr std::uint64_t mode_of(Rounding rounding) {
  const std::uint64_t bits = rounding == Rounding::up ? 1 : rounding == Rounding::down ? 2 : 3;
  return bits << 22;
}

inline std::uint64_t current_mode() {
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}

#define CLCUDA_ROUNDED(name, instruction)                                          \
  template <typename T, Rounding rounding>                                         \
  T name(T a, T b) {                                                               \
    if constexpr (sizeof(T) == 4)                                                  \
      asm volatile("msr fpcr, %2\n\t" instruction " %s0, %s0, %s1\n\tmsr fpcr, %3" \
                   : "+w"(a)                                                       \
                   : "w"(b), "r"(mode_of(rounding)), "r"(current_mode()));         \
    else                                                                           \
      asm volatile("msr fpcr, %2\n\t" instruction " %d0, %d0, %d1\n\tmsr fpcr, %3" \
                   : "+w"(a)                                                       \
                   : "w"(b), "r"(mode_of(rounding)), "r"(current_mode()));         \
    return a;                                                                      \
  }

CLCUDA_ROUNDED(add, "fadd")
CLCUDA_ROUNDED(mul, "fmul")
CLCUDA_ROUNDED(div, "fdiv")
#undef CLCUDA_ROUNDED

template <typename T, Rounding rounding>
T sqrt(T a) {
  if constexpr (sizeof(T) == 4)
    asm volatile("msr fpcr, %1\n\tfsqrt %s0, %s0\n\tmsr fpcr, %2"
                 : "+w"(a)
                 : "r"(mode_of(rounding)), "r"(current_mode()));
  else
    asm volatile("msr fpcr, %1\n\tfsqrt %d0, %d0\n\tmsr fpcr, %2"
                 : "+w"(a)
                 : "r"(mode_of(rounding)), "r"(current_mode()));
  return a;
}

template <typename T, Rounding rounding>
T fma(T a, T b, T c) {
  if constexpr (sizeof(T) == 4)
    asm volatile("msr fpcr, %3\n\tfmadd %s0, %s0, %s1, %s2\n\tmsr fpcr, %4"
                 : "+w"(a)
                 : "w"(b), "w"(c), "r"(mode_of(rounding)), "r"(current_mode()));
  else
    asm volatile("msr fpcr, %3\n\tfmadd %d0, %d0, %d1, %d2\n\tmsr fpcr, %4"
                 : "+w"(a)
                 : "w"(b), "w"(c), "r"(mode_of(rounding)), "r"(current_mode()));
  return a;
}

}  // namespace clcuda::ptx::rounded
