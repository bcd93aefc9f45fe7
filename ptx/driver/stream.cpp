// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/stream.h"

#include <utility>
#include <vector>

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
  go_on(Ref<Stream>(this));
  return number;
}

void Stream::abandon() {
  abandoned_.store(true);
  if (idle()) context_->forget(*this);
}

void Stream::finish_head() noexcept {
  retire_head();
  go_on(Ref<Stream>(this));
}

void Stream::go_on(Ref<Stream> stream) noexcept {
  // Finishing a command can let other streams continue, and those further ones. They are processed one after another here, not recursively.
  thread_local std::vector<Ref<Stream>>* under_way = nullptr;
  if (under_way) {
    under_way->push_back(std::move(stream));
    return;
  }
  std::vector<Ref<Stream>> streams{std::move(stream)};
  under_way = &streams;
  while (!streams.empty()) {
    const Ref<Stream> next = std::move(streams.back());
    streams.pop_back();
    next->start_commands();
  }
  under_way = nullptr;
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
