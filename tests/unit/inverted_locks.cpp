// SPDX-License-Identifier: Apache-2.0
// Code that Clang must reject (the test lock_order_annotations): an outer lock is taken while an inner one is held; both are members of
// different classes.
#include "base/mutex.h"

namespace clcuda {

struct Queue {
  Mutex mutex LOCK_RANK(queue);
};
struct Resources {
  Mutex mutex LOCK_RANK(device_memory);
};

void take_both(Queue& queue, Resources& resources) {
  const MutexLock inner(resources.mutex);
  const MutexLock outer(queue.mutex);
}

}  // namespace clcuda
