// SPDX-License-Identifier: Apache-2.0
#include "base/ref.h"

#include "base/deferred_deletion.h"

namespace clcuda {

constinit thread_local DeferredDeletion DeferredDeletion::instance_;

void DeferredDeletion::add(RefCounted& object) noexcept {
  object.next_dead_ = first_;
  first_ = &object;
  if (locks_ == 0) run();
}

void DeferredDeletion::run() noexcept {
  if (running_) return;
  running_ = true;
  while (first_) {
    RefCounted* object = first_;
    first_ = object->next_dead_;
    delete object;
  }
  running_ = false;
}

void RefCounted::last_reference_gone() noexcept { DeferredDeletion::of_this_thread().add(*this); }

}  // namespace clcuda
