// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/printf_memory.h"

#include <iterator>

namespace clcuda {

PrintfMemory::Share::Share(PrintfMemory& memory, std::size_t size, Watched* launch) : memory_(memory) {
  std::list<Use> made{{size, launch}};
  use_ = made.begin();
  MutexLock lock(memory_.mutex_);
  memory_.uses_.splice(memory_.uses_.end(), made);
  memory_.bytes_ += size;
}

PrintfMemory::Share::~Share() {
  std::list<Use> gone;
  MutexLock lock(memory_.mutex_);
  memory_.bytes_ -= use_->size;
  gone.splice(gone.end(), memory_.uses_, use_);
}

void PrintfMemory::wait_for_room(std::size_t size) noexcept {
  while (const Ref<Watched> oldest = in_the_way_of(size)) oldest->wait();
}

bool PrintfMemory::has_room(std::size_t size) noexcept {
  MutexLock lock(mutex_);
  return bytes_ + size <= kMost;
}

// The oldest launch that is not complete; null if there is room.
Ref<Watched> PrintfMemory::in_the_way_of(std::size_t size) {
  MutexLock lock(mutex_);
  if (bytes_ + size <= kMost) return {};
  for (const Use& use : uses_) {
    if (!use.launch || use.launch->complete()) continue;
    if (Ref<Watched> launch = Ref<Watched>::try_hold(*use.launch)) return launch;
  }
  return {};
}

}  // namespace clcuda
