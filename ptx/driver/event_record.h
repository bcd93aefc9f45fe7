// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"

namespace clcuda::ptx::driver {

class Context;
class Stream;

// One point in a stream's work: what a cuEventRecord captured, and what other streams wait for. Pending until
// the stream gets there, then complete for good. A new cuEventRecord of the same event makes a new record.
class EventRecord final : public RefCounted {
 public:
  explicit EventRecord(Ref<Context> context);
  ~EventRecord() override;

  bool complete() const noexcept { return complete_.load(std::memory_order_seq_cst); }
  std::int64_t nanoseconds() const noexcept { return nanoseconds_; }  // when; only once complete
  Context& context() const noexcept { return *context_; }

  // The stream has got there: streams that wait go on.
  void set_complete() noexcept EXCLUDES(mutex_);
  // The head of `stream`, a wait, is to be finished when this is complete. False if it is already.
  bool add_waiter(Stream& stream) EXCLUDES(mutex_);

 private:
  const Ref<Context> context_;
  std::atomic<bool> complete_{false};
  std::int64_t nanoseconds_ = 0;
  Mutex mutex_ LOCK_RANK(executor_event_record);
  std::vector<Ref<Stream>> waiters_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
