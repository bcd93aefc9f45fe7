// SPDX-License-Identifier: Apache-2.0
#include "base/process_end.h"

#include <cstdlib>

// Compiled code calls this to have a static object destroyed at exit. LLVM constructs its static objects on first use, after clcuda has
// registered its exit handlers, so they would be destroyed before these handlers can wait for the threads that use them. This definition
// is visible only within the same library or program.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that they call
extern "C" [[gnu::visibility("hidden")]] int __cxa_atexit(void (*)(void*), void*, void*) noexcept {
  return 0;
}

namespace clcuda {

void at_process_end(void (*handler)()) {
  // Not atexit(), which would call the function above.
  on_exit([](int, void* function) { reinterpret_cast<void (*)()>(function)(); },
          reinterpret_cast<void*>(handler));
}

}  // namespace clcuda
