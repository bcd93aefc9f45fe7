// SPDX-License-Identifier: Apache-2.0
// C++ for OpenCL: the object that several work-items could construct at once, a static one of a function, is constructed by the
// first of them while the others wait. In the guard, by the Itanium C++ ABI, the first byte says that all is done.
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
