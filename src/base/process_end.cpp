// SPDX-License-Identifier: Apache-2.0
#include "base/process_end.h"

#include <cstdlib>

// What compilers call to have a static object destroyed at exit. LLVM's are made when they are first needed,
// so later than any handler of ours is registered, and would be destroyed before it can wait for the threads
// that use them. This definition is seen by what is linked into the same library or program only.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that they call
extern "C" [[gnu::visibility("hidden")]] int __cxa_atexit(void (*)(void*), void*, void*) noexcept {
  return 0;
}

namespace clcuda {

void at_process_end(void (*handler)()) {
  // atexit() goes by way of the function above.
  on_exit([](int, void* function) { reinterpret_cast<void (*)()>(function)(); },
          reinterpret_cast<void*>(handler));
}

}  // namespace clcuda
