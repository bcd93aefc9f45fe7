// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <algorithm>
#include <vector>

#include "base/mutex.h"

namespace clcuda::cuda {

// What may name a kernel of a module beyond a call: it must not when the module is unloaded.
class ModuleUser {
 public:
  virtual void forget(CUmodule module) noexcept = 0;

 protected:
  ~ModuleUser() = default;
};

// Those of a context.
class ModuleUsers {
 public:
  void add(ModuleUser& user) {
    MutexLock lock(mutex_);
    all_.push_back(&user);
  }
  void remove(ModuleUser& user) noexcept {
    MutexLock lock(mutex_);
    std::erase(all_, &user);
  }
  // The module is about to be unloaded.
  void forget(CUmodule module) noexcept {
    MutexLock lock(mutex_);
    for (ModuleUser* user : all_) user->forget(module);
  }

 private:
  Mutex mutex_ LOCK_RANK(module_users);
  std::vector<ModuleUser*> all_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::cuda
