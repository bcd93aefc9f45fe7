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

// A point in a stream's work, created by a cuEventRecord, for which other streams can wait. Pending until the stream reaches it, then
// complete. Another cuEventRecord of the same event creates another record.
class EventRecord final : public RefCounted {
 public:
  explicit EventRecord(Ref<Context> context);
  ~EventRecord() override;

  bool complete() const noexcept { return complete_.load(std::memory_order_seq_cst); }
  std::int64_t nanoseconds() const noexcept {
    return nanoseconds_;
  }  // steady_clock, of completion; only once complete
  Context& context() const noexcept { return *context_; }

  // Called when the stream reaches the record: waiting streams continue.
  void set_complete() noexcept EXCLUDES(mutex_);
  // Finishes the head of `stream`, a wait, when this record is complete. Returns false if it already is.
  bool add_waiter(Stream& stream) EXCLUDES(mutex_);

 private:
  const Ref<Context> context_;
  std::atomic<bool> complete_{false};
  std::int64_t nanoseconds_ = 0;
  Mutex mutex_ LOCK_RANK(executor_event_record);
  std::vector<Ref<Stream>> waiters_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
