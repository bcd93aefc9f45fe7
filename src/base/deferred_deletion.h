// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace clcuda {

class RefCounted;

// Deletes reference-counted objects when that is safe. For each thread it counts the locks that the thread holds (MutexLock) and keeps the
// objects whose last reference the thread drops meanwhile. They are deleted once the thread holds no lock, because their destructors may
// take locks in any order. An object is not deleted within the destructor of another one, but after it: a chain of objects may be longer
// than the stack allows. Only RefCounted and MutexLock use it.
class DeferredDeletion {
 public:
  static DeferredDeletion& of_this_thread() noexcept { return instance_; }

  void lock_taken() noexcept { ++locks_; }
  void lock_given_back() noexcept {
    if (--locks_ == 0 && first_) [[unlikely]]
      run();
  }
  // Deletes the object, at once if possible.
  void add(RefCounted& object) noexcept;

 private:
  friend class ApartFromCaller;
  void run() noexcept;

  unsigned locks_ = 0;
  bool running_ = false;
  RefCounted* first_ = nullptr;
  static constinit thread_local DeferredDeletion instance_;
};

// During its lifetime, the calling thread is treated as one that holds no locks and deletes no objects. For entry points of a driver with
// its own locks and objects (ptx/driver), whose caller may hold locks.
class ApartFromCaller {
 public:
  ApartFromCaller() noexcept : caller_(std::exchange(DeferredDeletion::instance_, {})) {}
  ~ApartFromCaller() { DeferredDeletion::instance_ = caller_; }
  ApartFromCaller(const ApartFromCaller&) = delete;
  ApartFromCaller& operator=(const ApartFromCaller&) = delete;

 private:
  const DeferredDeletion caller_;
};

}  // namespace clcuda
