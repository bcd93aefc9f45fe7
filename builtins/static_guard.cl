// SPDX-License-Identifier: Apache-2.0
// C++ for OpenCL: a static object of a function, which several work-items could construct at once, is constructed by the first of them
// while the others wait. As in the Itanium C++ ABI, the guard's first byte says that the construction is complete.
#include "library.h"

enum { done = 1, begun = 256 };

int __cxa_guard_acquire(__generic ulong* guard) {
  volatile __generic atomic_uint* state = (volatile __generic atomic_uint*)guard;
  for (;;) {
    uint seen = 0;
    if (atomic_compare_exchange_strong_explicit(state, &seen, begun, memory_order_acquire,
                                                memory_order_acquire, memory_scope_device))
      return 1;
    if (seen == done) return 0;
  }
}

void __cxa_guard_release(__generic ulong* guard) {
  atomic_store_explicit((volatile __generic atomic_uint*)guard, done, memory_order_release,
                        memory_scope_device);
}
