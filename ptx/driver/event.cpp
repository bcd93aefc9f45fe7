// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/event.h"

#include <utility>

namespace clcuda::ptx::driver {
Ref<EventRecord> Event::latest() const {
  MutexLock lock(mutex_);
  return latest_;
}

void Event::set_latest(Ref<EventRecord> record) {
  MutexLock lock(mutex_);
  std::swap(latest_, record);  // the old record is released after the lock
}

}  // namespace clcuda::ptx::driver
