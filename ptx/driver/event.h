// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mutex.h"
#include "ptx/driver/context.h"
#include "ptx/driver/event_record.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

// A CUDA event: refers to its latest record. An event that was never recorded is complete.
class Event final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::event;
  Event(Context& context, bool timing) : context_(&context), timing_(timing) {}

  Context& context() const { return *context_; }
  bool timing() const { return timing_; }
  Ref<EventRecord> latest() const EXCLUDES(mutex_);  // may be empty
  void set_latest(Ref<EventRecord> record) EXCLUDES(mutex_);

 private:
  const Ref<Context> context_;
  const bool timing_;
  mutable Mutex mutex_ LOCK_RANK(executor_event);
  Ref<EventRecord> latest_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
