// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "base/ref.h"

namespace clcuda {

// Base of objects that can be in a RefList, in one at a time.
class Listed : public RefCounted {
  template <class T>
  friend class RefList;
  Ref<Listed> next_;
};

// A queue of references, linked through the objects: adding one allocates no memory, so it cannot fail. Not thread-safe.
//
//   RefList<Command> ready;
//   ready.push_back(command);
//   while (!ready.empty()) submit(ready.pop_front());
template <class T>
class RefList {
 public:
  RefList() = default;
  RefList(RefList&& other) noexcept
      : first_(std::move(other.first_)), last_(std::exchange(other.last_, nullptr)) {}
  RefList& operator=(RefList&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    return *this;
  }
  ~RefList() {
    while (!empty()) pop_front();
  }

  bool empty() const { return !last_; }
  void push_back(Ref<T> object) noexcept {
    Listed* const last = std::exchange(last_, object.get());
    (last ? last->next_ : first_) = std::move(object);
  }
  Ref<T> pop_front() noexcept {
    const Ref<Listed> object = std::move(first_);
    first_ = std::exchange(object->next_, {});
    if (!first_) last_ = nullptr;
    return Ref<T>(static_cast<T*>(object.get()));
  }

 private:
  Ref<Listed> first_;
  Listed* last_ = nullptr;
};

}  // namespace clcuda
