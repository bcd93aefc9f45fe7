// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/stream.h"

#include <utility>

namespace clcuda::ptx::driver {

Stream::Stream(Context& context, Kind kind, int priority, WorkerPool& pool)
    : context_(&context), kind_(kind), priority_(priority), pool_(pool) {}
Stream::~Stream() = default;

std::uint64_t Stream::latest() const {
  MutexLock lock(mutex_);
  return queued_;
}

std::uint64_t Stream::enqueue(std::unique_ptr<Command> command) {
  pool_.ensure_started();
  return kind_ == Kind::non_blocking ? push(std::move(command))
                                     : context_->push_in_order(*this, std::move(command));
}

std::uint64_t Stream::push(std::unique_ptr<Command> command) {
  std::uint64_t number;
  {
    MutexLock lock(mutex_);
    context_->require_usable();  // under the lock: once a context is marked as destroyed and its streams are
                                 // idle, they stay idle
    Command* added = command.release();
    (tail_ ? tail_->next_ : head_) = added;
    tail_ = added;
    number = ++queued_;
    if (busy_) return number;
    busy_ = true;
    hold();  // until the stream is idle again
  }
  go_on(*this);
  return number;
}

void Stream::abandon() {
  abandoned_.store(true);
  if (idle()) context_->forget(*this);
}

void Stream::finish_head() noexcept {
  retire_head();
  go_on(*this);
}

void Stream::go_on(Stream& stream) noexcept {
  // Finishing a command can let other streams continue, and those further ones. They are processed one after another here, not recursively.
  // A stream is in the list of one thread at most: the one that has finished its head.
  thread_local constinit bool under_way = false;
  thread_local constinit Stream* first = nullptr;
  stream.hold();
  stream.next_to_go_on_ = std::exchange(first, &stream);
  if (std::exchange(under_way, true)) return;
  while (first) {
    Stream* next = std::exchange(first, first->next_to_go_on_);
    next->start_commands();
    next->drop();
  }
  under_way = false;
}

void Stream::start_commands() noexcept {
  for (;;) {
    Command* head;
    {
      MutexLock lock(mutex_);
      head = head_;
      if (!head) busy_ = false;
    }
    if (!head) break;
    if (context_->failed())
      head->drop();
    else if (head->start(*this) == Command::Progress::running)
      return;
    retire_head();
  }
  if (abandoned_.load()) context_->forget(*this);
  drop();
}

void Stream::retire_head() noexcept {
  std::unique_ptr<Command> retired;
  {
    MutexLock lock(mutex_);
    retired.reset(head_);
    head_ = head_->next_;
    if (!head_) tail_ = nullptr;
    finished_.fetch_add(1, std::memory_order_seq_cst);
  }
  context_->something_completed();
}

}  // namespace clcuda::ptx::driver
