// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx::driver {

// A moment of busy waiting, kind to the other hardware thread.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace clcuda::ptx::driver
