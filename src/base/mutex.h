// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/deferred_deletion.h"
#include "base/lock_order.h"
#include "base/thread_safety.h"

namespace clcuda {

// A std::mutex with a rank in the order of locks (lock_order.h), for Clang's thread-safety analysis (thread_safety.h). Locked by
// MutexLock.
//
//   Mutex mutex_ LOCK_RANK(queue);
//   int count_ GUARDED_BY(mutex_) = 0;
//   …
//   MutexLock lock(mutex_); ++count_;
class CAPABILITY("mutex") Mutex {
 public:
  explicit constexpr Mutex(LockRank rank) noexcept : rank_(rank) {}

  bool try_lock() TRY_ACQUIRE(true) {
    if (!mutex_.try_lock()) return false;
    rank_.taken();  // without a check of the order, since it does not wait
    return true;
  }

 private:
  friend class MutexLock;
  std::mutex mutex_;
  [[no_unique_address]] const CheckedRank rank_;
};

// Holds a mutex during its lifetime. While a thread has a MutexLock, it does not delete objects whose last reference it drops
// (deferred_deletion.h).
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : rank_(mutex.rank_), lock_(mutex.mutex_, std::defer_lock) {
    take();
  }
  MutexLock(Mutex& mutex, std::adopt_lock_t) REQUIRES(mutex)
      : rank_(mutex.rank_), lock_(mutex.mutex_, std::adopt_lock) {
    thread_.lock_taken();
  }
  ~MutexLock() RELEASE() {
    if (lock_.owns_lock()) give_back();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() { give_back(); }
  void lock() ACQUIRE() { take(); }
  // For std::condition_variable::wait; the capability counts as held across the wait.
  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  void take() {
    rank_.check();
    lock_.lock();
    rank_.taken();
    thread_.lock_taken();
  }
  void give_back() {
    rank_.given_back();
    lock_.unlock();
    thread_.lock_given_back();
  }

  [[no_unique_address]] const CheckedRank rank_;
  std::unique_lock<std::mutex> lock_;
  DeferredDeletion& thread_ = DeferredDeletion::of_this_thread();
};

}  // namespace clcuda
