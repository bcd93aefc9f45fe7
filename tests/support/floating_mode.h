// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cstdint>

// The floating-point mode of a thread.
//
//   test::set_floating_mode(test::kUnusualFloatingMode);  … test::set_floating_mode(test::kUsualFloatingMode);
namespace test {

#if defined(__x86_64__)
constexpr std::uint64_t kUsualFloatingMode = _MM_MASK_MASK;
// Subnormal numbers are flushed to zero, and results are rounded up.
constexpr std::uint64_t kUnusualFloatingMode =
    _MM_MASK_MASK | _MM_FLUSH_ZERO_ON | 0x40 /* denormals are zero */ | _MM_ROUND_UP;

inline void set_floating_mode(std::uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
inline std::uint64_t floating_mode() { return _mm_getcsr() & ~_MM_EXCEPT_MASK; }
#elif defined(__aarch64__)
constexpr std::uint64_t kUsualFloatingMode = 0;
constexpr std::uint64_t kUnusualFloatingMode = 1 << 24 | 1 << 22;

inline void set_floating_mode(std::uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
inline std::uint64_t floating_mode() {
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
#endif

}  // namespace test
