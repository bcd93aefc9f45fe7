// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/deferred_deletion.h"

// Clang's thread-safety analysis (-Wthread-safety): a member says which mutex guards it, a function which mutex it needs, and the
// compiler checks both.
//
//   Mutex mutex_;
//   std::deque<Command*> held_ GUARDED_BY(mutex_);
//   void advance() REQUIRES(mutex_);
#if defined(__clang__)
#define CLCUDA_ANNOTATE(x) __attribute__((x))
#else
#define CLCUDA_ANNOTATE(x)
#endif
#define CAPABILITY(x) CLCUDA_ANNOTATE(capability(x))
#define SCOPED_CAPABILITY CLCUDA_ANNOTATE(scoped_lockable)
#define GUARDED_BY(x) CLCUDA_ANNOTATE(guarded_by(x))
#define ACQUIRED_BEFORE(...) CLCUDA_ANNOTATE(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) CLCUDA_ANNOTATE(acquired_after(__VA_ARGS__))
#define REQUIRES(...) CLCUDA_ANNOTATE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) CLCUDA_ANNOTATE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) CLCUDA_ANNOTATE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) CLCUDA_ANNOTATE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) CLCUDA_ANNOTATE(release_capability(__VA_ARGS__))
#define RETURN_CAPABILITY(x) CLCUDA_ANNOTATE(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS CLCUDA_ANNOTATE(no_thread_safety_analysis)

namespace clcuda {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
};

// No object's last reference goes while one lives: deferred_deletion.h.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.native()) { thread_.lock_taken(); }
  MutexLock(Mutex& mutex, std::adopt_lock_t) REQUIRES(mutex) : lock_(mutex.native(), std::adopt_lock) {
    thread_.lock_taken();
  }
  ~MutexLock() RELEASE() {
    if (lock_.owns_lock()) give_back();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() { give_back(); }
  void lock() ACQUIRE() {
    lock_.lock();
    thread_.lock_taken();
  }
  // For std::condition_variable::wait; the capability counts as held across the wait.
  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  void give_back() {
    lock_.unlock();
    thread_.lock_given_back();
  }

  std::unique_lock<std::mutex> lock_;
  DeferredDeletion& thread_ = DeferredDeletion::of_this_thread();
};

}  // namespace clcuda
