// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "ptx/driver/command.h"
#include "ptx/driver/context.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

constexpr int kLeastPriority = 0, kGreatestPriority = -1;

// A queue of commands that are executed one after another. No thread belongs to it: whoever makes the head
// finish starts the next.
//
// States: idle (nothing queued) and busy (the head has been started, or somebody is about to start it; one
// thread at a time).
//
// Lock order, over the whole of ptx/driver: PrimaryContextSlot, PrimaryContext's legacy order, MemoryPool,
// PrimaryContext's list of streams, Stream, then one of EventRecord, WorkerPool, HostFunctionThreads,
// Context's waiting, Arena, HandleTable. Nothing is called back with a lock held.
class Stream final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::stream;
  using Kind = StreamKind;
  Stream(Context& context, Kind kind, int priority, WorkerPool& pool);
  ~Stream() override;

  Context& context() const { return *context_; }
  Kind kind() const { return kind_; }
  WorkerPool& pool() const { return pool_; }  // runs its work
  bool high_priority() const { return priority_ < kLeastPriority; }

  // Queues a command; for the NULL stream and blocking streams, behind what CUDA's rules for the legacy
  // stream put before it. Throws DriverError if the context has failed or is gone. Returns the command's
  // number.
  std::uint64_t enqueue(std::unique_ptr<Command> command) EXCLUDES(mutex_);

  // The same without those rules, for Context::push_in_order.
  std::uint64_t push(std::unique_ptr<Command> command) EXCLUDES(mutex_);

  // The number of the latest command, and whether all commands up to a number are finished.
  std::uint64_t latest() const EXCLUDES(mutex_);
  bool finished(std::uint64_t number) const noexcept {
    return finished_.load(std::memory_order_seq_cst) >= number;
  }
  bool idle() const EXCLUDES(mutex_) { return finished(latest()); }

  // The handle is gone: the context lets go of the stream once it is idle.
  void abandon() EXCLUDES(mutex_);

  // The head, which was `running`, is done.
  void finish_head() noexcept EXCLUDES(mutex_);

 private:
  static void go_on(Stream& stream) noexcept;
  void start_commands() noexcept EXCLUDES(mutex_);
  void retire_head() noexcept EXCLUDES(mutex_);

  const Ref<Context> context_;
  const Kind kind_;
  const int priority_;
  WorkerPool& pool_;
  mutable Mutex mutex_ LOCK_RANK(executor_stream);
  Command* head_ GUARDED_BY(mutex_) = nullptr;
  Command* tail_ GUARDED_BY(mutex_) = nullptr;
  bool busy_ GUARDED_BY(mutex_) = false;
  std::uint64_t queued_ GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> finished_{0};
  std::atomic<bool> abandoned_{false};
  Stream* next_to_go_on_ = nullptr;  // of the thread that goes on with this stream
};

}  // namespace clcuda::ptx::driver
