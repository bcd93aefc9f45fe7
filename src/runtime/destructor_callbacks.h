// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "runtime/object.h"

namespace clcuda {

// What the application wants to be told when an object goes: functions that are called in the reverse of the
// order in which they were set, with a handle that is no longer valid and not yet another object's (sections
// 4.4, 5.5.1 and 5.8.2).
//
//   callbacks_.add(function, user);
//   if (auto tell = callbacks_.take(*this)) post([tell = std::move(tell)] { tell(); });  // in the destructor
template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  // The functions as one; false where there are none.
  class Calls {
   public:
    explicit operator bool() const { return !calls_.empty(); }
    void operator()() const {
      for (const auto& [function, user] : std::views::reverse(calls_))
        function(static_cast<Handle>(handle_->get()), user);
    }

   private:
    friend DestructorCallbacks;
    std::vector<std::pair<Function, void*>> calls_;
    std::shared_ptr<RetiredHandle>
        handle_;  // made with the first of them: none is lost for want of memory later
  };

  void add(Function function, void* user) {
    MutexLock lock(mutex_);
    if (!all_.handle_) all_.handle_ = std::make_shared<RetiredHandle>();
    all_.calls_.emplace_back(function, user);
  }
  // Ends the handle's life where there are callbacks: before anything of the object goes, lest they find that
  // with it.
  Calls take(Object& object) noexcept {
    MutexLock lock(mutex_);
    if (all_) all_.handle_->take(object);
    return std::exchange(all_, {});
  }

 private:
  Mutex mutex_ LOCK_RANK(destructor_callbacks);
  Calls all_ GUARDED_BY(mutex_);
};

}  // namespace clcuda
