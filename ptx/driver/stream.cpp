// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/stream.h"

#include <utility>
#include <vector>

#include "ptx/driver/device.h"

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
  if (kind_ == Kind::non_blocking) return push(std::move(command));
  // The legacy rules: the NULL stream's work comes after all earlier work of blocking streams and before all
  // later work of them. One enqueue at a time, so that "earlier" means the same to all.
  MutexLock order(context_->legacy_order());
  for (const Ref<Stream>& other : context_->streams()) {
    const bool ordered = kind_ == Kind::null ? other->kind_ == Kind::blocking : other->kind_ == Kind::null;
    if (!ordered || other->idle()) continue;
    Ref<Record> record = Ref<Record>::adopt(new Record(context_));
    other->push(std::make_unique<RecordCommand>(record));
    push(std::make_unique<WaitCommand>(record));
  }
  return push(std::move(command));
}

std::uint64_t Stream::push(std::unique_ptr<Command> command) {
  std::uint64_t number;
  {
    MutexLock lock(mutex_);
    context_->require_usable();  // under the lock: once a context has been marked gone and its streams are
                                 // idle, they stay so
    Command* added = command.release();
    (tail_ ? tail_->next_ : head_) = added;
    tail_ = added;
    number = ++queued_;
    if (busy_) return number;
    busy_ = true;
    hold();  // until idle again
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
  // Finishing a command can let other streams go on, and these others still: one after another here, not one
  // inside the other.
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

Command::Progress WorkCommand::start(Stream& stream) noexcept {
  stream_ = &stream;
  stream.pool().submit(*this);
  return Progress::running;
}

void WorkCommand::finished() noexcept { stream_->finish_head(); }

HandleTable<Stream>& stream_handles() {
  static HandleTable<Stream>& handles = *new HandleTable<Stream>(HandleType::stream);
  return handles;
}

Ref<Stream> stream_of(CUstream handle) {
  Context& current = current_context();
  if (!handle || handle == CU_STREAM_LEGACY) return current.null_stream();
  Ref<Stream> stream = stream_handles().get(number(handle));
  stream->context().require_usable();
  return stream;
}

CUresult cuStreamCreateWithPriority(CUstream* handle, unsigned flags, int priority) {
  return entry([&] {
    CUstream& out = required(handle);
    require((flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) == 0);
    const Stream::Kind kind =
        flags & CU_STREAM_NON_BLOCKING ? Stream::Kind::non_blocking : Stream::Kind::blocking;
    out = handle_from<CUstream>(stream_handles().add(current_context().create_stream(kind, priority)));
    return CUDA_SUCCESS;
  });
}

// Work that is queued is still executed; the handle is gone at once.
CUresult cuStreamDestroy(CUstream handle) {
  return entry([&] {
    Context& current = current_context_unchecked();
    const Ref<Stream> stream = stream_handles().remove(number(handle));
    require(static_cast<bool>(stream), CUDA_ERROR_INVALID_HANDLE);
    stream->abandon();
    return current.status();
  });
}

CUresult cuStreamQuery(CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    const bool idle =
        stream->kind() == Stream::Kind::null ? stream->context().idle(StreamSet::legacy) : stream->idle();
    stream->context().require_usable();
    return idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    if (stream->kind() == Stream::Kind::null) return stream->context().synchronize(StreamSet::legacy);
    return stream->context().wait_until(
        [&stream, latest = stream->latest()] { return stream->finished(latest); });
  });
}

}  // namespace clcuda::ptx::driver
