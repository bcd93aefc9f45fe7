// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/ref.h"

namespace clcuda {

// The users of an object that outlives them and notifies them of changes (DeviceUser, MemoryUser). Not thread-safe: guarded by the owner's
// lock.
template <class User>
class UserList {
 public:
  struct Kept {
    User* user;
    Ref<RefCounted> kept;
  };

  void add(User& user) { users_.push_back(&user); }
  void remove(User& user) noexcept { std::erase(users_, &user); }
  // References to all users, so that they can be called without the owner's lock. A user whose destructor has begun is left out.
  std::vector<Kept> all() const {
    std::vector<Kept> all;
    all.reserve(users_.size());
    for (User* user : users_)
      if (Ref<RefCounted> kept = user->try_keep()) all.push_back({user, std::move(kept)});
    return all;
  }

 private:
  std::vector<User*> users_;
};

}  // namespace clcuda
