// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace clcuda {

// Base of objects with two reference counts, in one atomic word: the application's (low half; clRetain*, clRelease*, CL_*_REFERENCE_COUNT)
// and the internal one (high half; Ref<T>). The object is deleted when both are zero and the thread holds no lock (deferred_deletion.h). A
// new object has an application count of one. Thread-safe.
//
//   Ref<Buffer> keep(buffer);   // changes the internal count only
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void retain_api() noexcept { counts_.fetch_add(kApi, std::memory_order_relaxed); }
  // clRelease*. Returns false, and changes nothing, if the application holds no reference.
  bool release_api() noexcept {
    std::uint64_t seen = counts_.load(std::memory_order_relaxed);
    do {
      if ((seen & kApiMask) == 0) return false;
    } while (!counts_.compare_exchange_weak(seen, seen + kInternal - kApi, std::memory_order_acq_rel));
    // The application's reference has been converted into an internal one, which keeps the object alive during the hook.
    if ((seen & kApiMask) == 1) released_by_application();
    drop();
    return true;
  }
  std::uint32_t api_count() const noexcept {
    return static_cast<std::uint32_t>(counts_.load(std::memory_order_relaxed) & kApiMask);
  }

  void hold() noexcept { counts_.fetch_add(kInternal, std::memory_order_relaxed); }
  void drop() noexcept {
    if (counts_.fetch_sub(kInternal, std::memory_order_acq_rel) == kInternal) last_reference_gone();
  }
  // Adds an internal reference; returns false if the object's last reference has been dropped. For callers without a reference, which must
  // ensure that the object is not deleted during the call.
  bool try_hold() noexcept {
    std::uint64_t seen = counts_.load(std::memory_order_relaxed);
    while (seen != 0)
      if (counts_.compare_exchange_weak(seen, seen + kInternal, std::memory_order_relaxed)) return true;
    return false;
  }

 protected:
  virtual ~RefCounted() = default;
  // Called when the application has released its last reference; internal ones may keep the object alive.
  virtual void released_by_application() noexcept {}

 private:
  friend class DeferredDeletion;
  void last_reference_gone() noexcept;

  static constexpr std::uint64_t kApi = 1;
  static constexpr std::uint64_t kApiMask = 0xffffffff;
  static constexpr std::uint64_t kInternal = std::uint64_t{1} << 32;
  std::atomic<std::uint64_t> counts_{kApi};
  RefCounted* next_dead_ = nullptr;
};

// An internal reference, which keeps its object alive; may be empty.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_) object_->hold();
  }
  explicit Ref(T& object) noexcept : Ref(&object) {}
  Ref(const Ref& other) noexcept : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) noexcept : Ref(static_cast<T*>(other.get())) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->drop();
  }

  // Converts a new object's application reference into an internal one: for objects that the application never sees.
  static Ref adopt(T* object) noexcept {
    Ref ref(object);
    object->release_api();
    return ref;
  }
  // Empty if the object's last reference has been dropped (RefCounted::try_hold).
  static Ref try_hold(T& object) noexcept {
    Ref ref;
    if (object.try_hold()) ref.object_ = &object;
    return ref;
  }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace clcuda
