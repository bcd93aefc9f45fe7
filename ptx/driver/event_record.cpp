// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/event_record.h"

#include <chrono>
#include <utility>

#include "ptx/driver/context.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

EventRecord::EventRecord(Ref<Context> context) : context_(std::move(context)) {}
EventRecord::~EventRecord() = default;

void EventRecord::set_complete() noexcept {
  nanoseconds_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
                     std::chrono::steady_clock::now().time_since_epoch())
                     .count();
  std::vector<Ref<Stream>> waiters;
  {
    MutexLock lock(mutex_);
    complete_.store(true, std::memory_order_seq_cst);
    waiters.swap(waiters_);
  }
  context_->something_completed();
  for (const Ref<Stream>& stream : waiters) stream->finish_head();
}

bool EventRecord::add_waiter(Stream& stream) {
  MutexLock lock(mutex_);
  if (complete()) return false;
  waiters_.emplace_back(&stream);
  return true;
}

}  // namespace clcuda::ptx::driver
