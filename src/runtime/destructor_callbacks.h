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

// The application's callbacks for the destruction of an object. They are called in reverse order of registration, with the object's handle,
// which is then invalid but not yet used by another object (sections 4.4, 5.5.1 and 5.8.2).
//
//   callbacks_.add(function, user);
//   if (auto tell = callbacks_.take(*this)) post([tell = std::move(tell)] { tell(); });  // in the destructor
template <class Handle>
class DestructorCallbacks {
 public:
  using Function = void(CL_CALLBACK*)(Handle, void*);

  // Calls all functions; false if there are none.
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
        handle_;  // created with the first callback, so that the destructor needs no memory
  };

  void add(Function function, void* user) {
    MutexLock lock(mutex_);
    if (!all_.handle_) all_.handle_ = std::make_shared<RetiredHandle>();
    all_.calls_.emplace_back(function, user);
  }
  // Removes and returns the callbacks. If there are any, invalidates the object's handle. To be called before any member of the object is
  // destroyed, so that the callbacks cannot access it through the handle.
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
