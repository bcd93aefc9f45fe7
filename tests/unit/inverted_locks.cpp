// SPDX-License-Identifier: Apache-2.0
// What Clang must refuse (the test lock_order_annotations): an outer lock behind an inner one, of different classes.
#include "base/mutex.h"

namespace clcuda {

struct Queue {
  Mutex mutex LOCK_RANK(queue);
};
struct Engine {
  Mutex mutex LOCK_RANK(engine);
};

void take_both(Queue& queue, Engine& engine) {
  const MutexLock inner(engine.mutex);
  const MutexLock outer(queue.mutex);
}

}  // namespace clcuda
