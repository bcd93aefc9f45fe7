// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "ptx/executor/worker.h"

namespace clcuda::ptx::driver {

// One of the threads that run blocks.
class WorkerThread {
 public:
  // The thread's working memory for kernels, made when it first runs one.
  Worker& worker() {
    if (!worker_) worker_ = std::make_unique<Worker>();
    return *worker_;
  }

 private:
  std::unique_ptr<Worker> worker_;
};

// Something in pieces that several threads can do at once: the blocks of a launch, the parts of a copy.
//
// Pieces are claimed in chunks, first of one piece, then larger while chunks take little time. Who claims the
// last piece takes the work off the pool's list; who accounts for the last piece done calls finished(). The
// work is not touched after that.
class Work {
 public:
  explicit Work(bool high_priority = false) : high_priority_(high_priority) {}
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  virtual void run(std::uint64_t begin, std::uint64_t end,
                   WorkerThread& thread) noexcept = 0;  // pieces [begin, end)
  virtual void finished() noexcept = 0;  // called once, by the thread that accounts for the last piece

  // For run(): pieces that are not yet claimed are skipped.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

 protected:
  // Before submit(). `expected_nanoseconds` for all pieces together, 0 if unknown: short work is not worth
  // waking threads for.
  void set_pieces(std::uint64_t pieces, std::uint64_t expected_nanoseconds) {
    total_ = pieces;
    expected_nanoseconds_ = expected_nanoseconds;
  }
  std::uint64_t pieces() const { return total_; }

 private:
  friend class WorkerPool;
  std::uint64_t total_ = 1;
  std::uint64_t expected_nanoseconds_ = 0;
  const bool high_priority_;
  std::atomic<std::uint64_t> next_{0}, done_{0};
  std::atomic<std::uint32_t> chunk_{1};
  std::atomic<bool> cancelled_{false};
  Work* list_next_ = nullptr;  // guarded by the pool's mutex, as is list_previous_
  Work* list_previous_ = nullptr;
};

// The threads of one device. They are started when first needed, as many as are useful, and kept; they alternate between the works on the
// list. One idle thread at a time polls for work briefly before it sleeps, so that a launch soon after another costs no wake-up.
class WorkerPool {
 public:
  explicit WorkerPool(int threads) : limit_(threads) {}

  int size() const { return limit_; }
  // Throws DriverError{CUDA_ERROR_OPERATING_SYSTEM} if there is no thread and none can be started. To be
  // called before submit().
  void ensure_started() EXCLUDES(mutex_);
  // Puts the work on the list. It must live until finished() has been called.
  void submit(Work& work) noexcept EXCLUDES(mutex_);

 private:
  struct List {
    Work* front = nullptr;
    Work* back = nullptr;
    void push_back(Work& work);
    void erase(Work& work);
  };
  struct Claim {
    std::uint64_t begin = 0, end = 0;
    bool last = false;  // nothing is left to claim
    bool empty() const { return begin == end; }
  };

  static Claim claim(Work& work, std::uint32_t chunk);
  static void adapt_chunk(Work& work, std::int64_t nanoseconds, int threads);
  Work* pick(Claim& claimed) REQUIRES(mutex_);
  bool add_thread() REQUIRES(mutex_);
  void wake_another() REQUIRES(mutex_);
  void spin() const;
  void sleep(MutexLock& lock) REQUIRES(mutex_);
  void take_off(Work& work) EXCLUDES(mutex_);
  void run_claims(Work& work, Claim claimed, WorkerThread& thread) EXCLUDES(mutex_);
  void loop() noexcept EXCLUDES(mutex_);

  const int limit_;
  Mutex mutex_ LOCK_RANK(executor_workers);
  std::condition_variable wake_;
  List high_ GUARDED_BY(mutex_), normal_ GUARDED_BY(mutex_);
  int started_ GUARDED_BY(mutex_) = 0;
  int sleeping_ GUARDED_BY(mutex_) = 0;
  bool spinner_ GUARDED_BY(mutex_) = false;
  // Works on the lists with pieces left to claim. Goes up under the mutex; whoever claims a last piece takes
  // it down at once, without.
  std::atomic<int> claimable_{0};
};

}  // namespace clcuda::ptx::driver
