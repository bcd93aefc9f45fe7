// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/relax.h"

namespace clcuda::ptx::driver {

class Device;
class Stream;
class WorkerPool;

enum class StreamKind { null, blocking, non_blocking };
enum class StreamSet { all, legacy };  // legacy: those that the NULL stream is ordered with, itself included

// A device's primary context, from its first retain to its last release; a later retain makes another one.
//
// States: usable; failed (a kernel faulted: the error is returned by every call, queued work is dropped,
// nothing runs any more); destroyed. A failed context can only be destroyed.
class Context final : public RefCounted {
 public:
  explicit Context(Device& device);
  ~Context() override;

  Device& device() const { return device_; }

  CUresult status() const noexcept { return status_.load(std::memory_order_seq_cst); }
  bool failed() const noexcept {
    const CUresult status = this->status();
    return status != CUDA_SUCCESS && status != CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  void require_usable() const { require(status() == CUDA_SUCCESS, status()); }
  void fail(CUresult error) noexcept;  // the first error stays
  // Lets no more work in, waits for what is under way, ends all handles and frees all memory.
  void destroy() EXCLUDES(streams_mutex_);

  Ref<Stream> null_stream() const EXCLUDES(streams_mutex_);
  // `pool`: the threads that run its work, if not the device's.
  Ref<Stream> create_stream(StreamKind kind, int priority, WorkerPool* pool = nullptr)
      EXCLUDES(streams_mutex_);
  void forget(const Stream& stream) noexcept EXCLUDES(streams_mutex_);
  std::vector<Ref<Stream>> streams(StreamSet set = StreamSet::all) const EXCLUDES(streams_mutex_);
  Mutex& legacy_order() RETURN_CAPABILITY(legacy_order_) { return legacy_order_; }

  bool idle(StreamSet set) const EXCLUDES(streams_mutex_);
  CUresult synchronize(StreamSet set) EXCLUDES(streams_mutex_);

  // Waits until `done()` holds or the context has failed; returns the sticky error in the latter case. Busy
  // for a moment first, so that waiting for short work costs no wake-up. Whatever makes `done` true calls
  // something_completed() afterwards.
  template <class Done>
  CUresult wait_until(const Done& done) EXCLUDES(waiting_mutex_) {
    for (const auto end = std::chrono::steady_clock::now() + kSpinTime;
         std::chrono::steady_clock::now() < end; relax())
      if (failed() || done()) return failure();
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    {
      MutexLock lock(waiting_mutex_);
      while (!failed() && !done()) completed_.wait(lock.native());
    }
    waiters_.fetch_sub(1, std::memory_order_seq_cst);
    return failure();
  }
  void something_completed() noexcept EXCLUDES(waiting_mutex_);

  std::size_t stack_limit() const { return stack_limit_.load(); }
  void set_stack_limit(std::size_t bytes) { stack_limit_.store(bytes); }
  // Launches from device code that are not through yet: false if there are as many as the limit allows.
  bool begin_device_launch() noexcept;
  void end_device_launch() noexcept { device_launches_.fetch_sub(1, std::memory_order_relaxed); }
  std::size_t device_launch_limit() const { return device_launch_limit_.load(); }
  void set_device_launch_limit(std::size_t launches) { device_launch_limit_.store(launches); }

 private:
  static constexpr auto kSpinTime = std::chrono::microseconds(30);
  CUresult failure() const noexcept { return failed() ? status() : CUDA_SUCCESS; }
  void wait_for_idle() EXCLUDES(waiting_mutex_);

  Device& device_;
  std::atomic<CUresult> status_{CUDA_SUCCESS};
  std::atomic<std::size_t> stack_limit_{1024};
  std::atomic<std::size_t> device_launch_limit_{2048}, device_launches_{0};
  // Held while a command is put behind others by the NULL stream's rules.
  Mutex legacy_order_ LOCK_RANK(executor_legacy_order);
  mutable Mutex streams_mutex_ LOCK_RANK(executor_streams);
  // The NULL stream first; empty once destroyed.
  std::vector<Ref<Stream>> streams_ GUARDED_BY(streams_mutex_);
  Mutex waiting_mutex_ LOCK_RANK(executor_waiting);
  std::condition_variable completed_;
  std::atomic<int> waiters_{0};
};

// The calling thread's current context. Throws Refusal if there is none (CUDA_ERROR_INVALID_CONTEXT), if it
// has been released (CUDA_ERROR_CONTEXT_IS_DESTROYED) or has failed (its sticky error). `unchecked` does not
// ask about the latter.
Context& current_context();
Context& current_context_unchecked();

// The context behind a handle, or Refusal{CUDA_ERROR_INVALID_CONTEXT}.
Ref<Context> context_of(CUcontext handle);

}  // namespace clcuda::ptx::driver
