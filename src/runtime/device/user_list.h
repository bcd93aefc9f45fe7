// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/ref.h"

namespace clcuda {

// Who uses something that outlives it, and is to be told of what becomes of that (DeviceUser, MemoryUser). Not locked: the owner's lock guards
// it.
template <class User>
class UserList {
 public:
  struct Kept {
    User* user;
    Ref<RefCounted> kept;
  };

  void add(User& user) { users_.push_back(&user); }
  void remove(User& user) noexcept { std::erase(users_, &user); }
  // Those there are now, so that whoever calls them holds no lock, and nobody who makes another waits for that. One in its destructor is
  // not among them.
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
