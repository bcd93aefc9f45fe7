// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace clcuda {

class RefCounted;

// Of each thread: how many locks it holds (MutexLock), and the objects whose last reference went meanwhile.
// They are deleted when it holds none: a destructor may take locks of its own, whose order with those held
// nobody could keep to. Nor is one deleted within the destructor of another, but after it: chains of objects
// may be longer than a stack.
class DeferredDeletion {
 public:
  static DeferredDeletion& of_this_thread() noexcept { return instance_; }

  void lock_taken() noexcept { ++locks_; }
  void lock_given_back() noexcept {
    if (--locks_ == 0 && first_) [[unlikely]]
      run();
  }
  // Deletes the object, now if that can be.
  void add(RefCounted& object) noexcept;

 private:
  friend class ApartFromCaller;
  void run() noexcept;

  unsigned locks_ = 0;
  bool running_ = false;
  RefCounted* first_ = nullptr;
  static constinit thread_local DeferredDeletion instance_;
};

// While one lives, the thread is as good as another: for a driver with locks and objects of its own, whose
// caller may hold some.
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
