// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "base/ref.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/relax.h"

namespace clcuda::ptx::driver {

class Command;
class Device;
class Stream;
class WorkerPool;

enum class StreamKind { null, blocking, non_blocking };
enum class StreamSet { all, legacy };  // legacy: those that the NULL stream is ordered with, itself included

// A CUDA context, as the objects in it see it. PrimaryContext, the only implementation, manages its streams.
//
// States: usable; failed (a kernel faulted: the error is returned by every call, queued work is dropped,
// nothing runs any more); destroyed. A failed context can only be destroyed.
class Context : public RefCounted {
 public:
  explicit Context(Device& device) : device_(device) {}

  Device& device() const { return device_; }

  CUresult status() const noexcept { return status_.load(std::memory_order_seq_cst); }
  bool failed() const noexcept {
    const CUresult status = this->status();
    return status != CUDA_SUCCESS && status != CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  void require_usable() const { require(status() == CUDA_SUCCESS, status()); }
  // Makes the context failed. Returns false if it already was; the first error stays.
  bool fail(CUresult error) noexcept;

  virtual Ref<Stream> null_stream() const = 0;
  // `pool`: the threads that run its work, if not the device's.
  virtual Ref<Stream> create_stream(StreamKind kind, int priority, WorkerPool* pool = nullptr) = 0;
  // The stream's handle has been destroyed and its work is done: the context releases it.
  virtual void forget(const Stream& stream) noexcept = 0;
  // Queues a command of a stream after all that CUDA's rules for the legacy default stream order before it (CUDA Driver API, "Stream
  // synchronization behavior"). Returns the command's number.
  virtual std::uint64_t push_in_order(Stream& stream, std::unique_ptr<Command> command) = 0;
  virtual bool idle(StreamSet set) const = 0;
  // Waits until the streams are idle; returns the sticky error if the context has failed.
  virtual CUresult synchronize(StreamSet set) = 0;

  // Waits until `done()` holds or the context has failed; returns the sticky error in the latter case. Busy
  // for a moment first, so that waiting for short work costs no wake-up. Whatever makes `done` true calls
  // something_completed() afterwards.
  template <class Done>
  CUresult wait_until(const Done& done) EXCLUDES(waiting_mutex_) {
    for (const auto end = std::chrono::steady_clock::now() + kSpinTime;
         std::chrono::steady_clock::now() < end; relax())
      if (failed() || done()) return failure();
    sleep_until([&] { return failed() || done(); });
    return failure();
  }
  void something_completed() noexcept EXCLUDES(waiting_mutex_);

  std::size_t stack_limit() const { return stack_limit_.load(); }  // CU_LIMIT_STACK_SIZE: bytes
  void set_stack_limit(std::size_t bytes) { stack_limit_.store(bytes); }
  // Counts a launch from device code until it has completed; false if the limit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) is reached.
  bool begin_device_launch() noexcept;
  void end_device_launch() noexcept { device_launches_.fetch_sub(1, std::memory_order_relaxed); }
  std::size_t device_launch_limit() const { return device_launch_limit_.load(); }
  void set_device_launch_limit(std::size_t launches) { device_launch_limit_.store(launches); }

 protected:
  ~Context() override;

  // Lets no more work in, where a failure does not do so already.
  void set_unusable() noexcept {
    CUresult usable = CUDA_SUCCESS;
    status_.compare_exchange_strong(usable, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }
  void set_destroyed() noexcept { status_.store(CUDA_ERROR_CONTEXT_IS_DESTROYED); }
  template <class Done>
  void sleep_until(const Done& done) EXCLUDES(waiting_mutex_) {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    {
      MutexLock lock(waiting_mutex_);
      while (!done()) completed_.wait(lock.native());
    }
    waiters_.fetch_sub(1, std::memory_order_seq_cst);
  }

 private:
  static constexpr auto kSpinTime = std::chrono::microseconds(30);
  CUresult failure() const noexcept { return failed() ? status() : CUDA_SUCCESS; }

  Device& device_;
  std::atomic<CUresult> status_{CUDA_SUCCESS};
  std::atomic<std::size_t> stack_limit_{1024};
  std::atomic<std::size_t> device_launch_limit_{2048}, device_launches_{0};
  Mutex waiting_mutex_ LOCK_RANK(executor_waiting);
  std::condition_variable completed_;
  std::atomic<int> waiters_{0};
};

}  // namespace clcuda::ptx::driver
