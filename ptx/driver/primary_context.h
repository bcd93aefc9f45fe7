// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "ptx/driver/context.h"

namespace clcuda::ptx::driver {

class Arena;
class RegisteredMemory;

// A device's primary context, from its first retain to its last release; a later retain makes another one.
class PrimaryContext final : public Context {
 public:
  explicit PrimaryContext(Device& device);

  // Refuses new work, waits for work in progress, ends all handles and frees all memory.
  void destroy(Arena& host_memory, RegisteredMemory& registered) EXCLUDES(streams_mutex_);

  Ref<Stream> null_stream() const override EXCLUDES(streams_mutex_);
  Ref<Stream> create_stream(StreamKind kind, int priority, WorkerPool* pool) override
      EXCLUDES(streams_mutex_);
  void forget(const Stream& stream) noexcept override EXCLUDES(streams_mutex_);
  std::uint64_t push_in_order(Stream& stream, std::unique_ptr<Command> command) override
      EXCLUDES(legacy_order_, streams_mutex_);
  bool idle(StreamSet set) const override EXCLUDES(streams_mutex_);
  CUresult synchronize(StreamSet set) override EXCLUDES(streams_mutex_);

 private:
  ~PrimaryContext() override;
  std::vector<Ref<Stream>> streams(StreamSet set) const EXCLUDES(streams_mutex_);

  // Held while a command is put behind others by the NULL stream's rules.
  Mutex legacy_order_ LOCK_RANK(executor_legacy_order);
  mutable Mutex streams_mutex_ LOCK_RANK(executor_streams);
  // The NULL stream first; empty once destroyed.
  std::vector<Ref<Stream>> streams_ GUARDED_BY(streams_mutex_);
};

// A device's primary context while it is retained.
class PrimaryContextSlot {
 public:
  PrimaryContextSlot(Device& device, Arena& host_memory, RegisteredMemory& registered)
      : device_(device), host_memory_(host_memory), registered_(registered) {}

  void retain() EXCLUDES(mutex_);
  void release() EXCLUDES(mutex_);
  Ref<Context> context() const EXCLUDES(mutex_);  // empty while nobody has retained it

 private:
  Device& device_;
  Arena& host_memory_;
  RegisteredMemory& registered_;
  mutable Mutex mutex_ LOCK_RANK(executor_device);
  int retains_ GUARDED_BY(mutex_) = 0;
  Ref<PrimaryContext> context_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
