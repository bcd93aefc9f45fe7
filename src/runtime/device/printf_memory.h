// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>

#include "base/mutex.h"
#include "base/ref.h"
#include "runtime/device/watched.h"

namespace clcuda {

// Limits the memory of the printf buffers of a device's launches in flight. If another launch would exceed the limit, enqueuing it waits
// for the oldest ones. These are in streams, with everything they depend on, so they complete whatever the application does. If there is
// no launch to wait for, the limit is exceeded.
class PrintfMemory {
 public:
  static constexpr std::size_t kMost = std::size_t{128} << 20;  // bytes

  PrintfMemory() = default;
  PrintfMemory(const PrintfMemory&) = delete;
  PrintfMemory& operator=(const PrintfMemory&) = delete;

  // Waits until a further buffer of `size` bytes is within the limit. The caller must hold no lock.
  void wait_for_room(std::size_t size) noexcept;
  // Whether it is, so that there is nothing to wait for.
  bool has_room(std::size_t size) noexcept;

 private:
  struct Use {
    std::size_t size;
    Watched* launch;  // exists as long as this is in the list
  };

 public:
  // Counts a buffer during its lifetime. `launch`: the command that owns the buffer, or null.
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
