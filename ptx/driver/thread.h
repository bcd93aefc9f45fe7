// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx::driver {

// Starts a thread that nothing ever joins, with a stack of known size and all asynchronous signals blocked:
// they are the host program's. `main` gets `argument`. False if the system refuses.
bool start_detached_thread(void (*main)(void*) noexcept, void* argument) noexcept;

// A moment of busy waiting, kind to the other hardware thread.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace clcuda::ptx::driver
