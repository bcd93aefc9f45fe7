// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <ranges>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace clcuda {

// What the application wants to be told when an object goes: functions that are called in the reverse of the order in which they
// were set (sections 4.4, 5.5.1 and 5.8.1).
//
//   callbacks_.add(function, user);
//   if (auto tell = callbacks_.take()) post([handle, tell = std::move(tell)] { tell(handle); });  // in the destructor
template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  // The functions as one; false where there are none.
  class Calls {
   public:
    explicit operator bool() const { return !calls_.empty(); }
    void operator()(Handle handle) const {
      for (const auto& [function, user] : std::views::reverse(calls_)) function(handle, user);
    }

   private:
    friend DestructorCallbacks;
    std::vector<std::pair<Function, void*>> calls_;
  };

  void add(Function function, void* user) {
    MutexLock lock(mutex_);
    all_.calls_.emplace_back(function, user);
  }
  Calls take() noexcept {
    MutexLock lock(mutex_);
    return std::exchange(all_, {});
  }

 private:
  Mutex mutex_;
  Calls all_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
