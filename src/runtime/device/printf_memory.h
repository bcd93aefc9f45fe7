// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>

#include "base/mutex.h"
#include "base/ref.h"
#include "runtime/device/watched.h"

namespace clcuda {

// What the launches in flight on a device print into, and how much it is. Where there would be too much,
// whoever enqueues another launch that prints waits for the oldest ones. Those are in streams, where all that
// they come behind is, too: they end whatever the application does. Where no launch can be waited for, there
// is more.
class PrintfMemory {
 public:
  static constexpr std::size_t kMost = std::size_t{128} << 20;

  PrintfMemory() = default;
  PrintfMemory(const PrintfMemory&) = delete;
  PrintfMemory& operator=(const PrintfMemory&) = delete;

  // The caller holds no lock.
  void wait_for_room(std::size_t size) noexcept;

 private:
  struct Use {
    std::size_t size;
    Watched* launch;  // alive as long as this is in the list
  };

 public:
  // One buffer. `launch`: the command that owns it; null where none does.
  class Share {
   public:
    Share(PrintfMemory& memory, std::size_t size, Watched* launch);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    std::size_t size() const { return use_->size; }

   private:
    PrintfMemory& memory_;
    std::list<Use>::iterator use_;
  };

 private:
  Ref<Watched> in_the_way_of(std::size_t size);

  Mutex mutex_ LOCK_RANK(printf_memory);
  std::list<Use> uses_ GUARDED_BY(mutex_);  // the oldest first
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda
