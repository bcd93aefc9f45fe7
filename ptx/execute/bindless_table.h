// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <new>

#include "base/mutex.h"

namespace clcuda::ptx {

// Objects of the process by the 64-bit handles that kernels are given. Thread-safe. A lookup by a kernel is a few loads and takes no lock:
// slots are never freed, and the slot of a removed object is reused only after many others, so that kernels that still run can go on
// reading the object. find() recognises handles that were never given out.
//
//   BindlessTable<Texture> table(1);
//   const std::uint64_t handle = table.add(texture, context);
//   const Texture* found = table.find(handle);
template <class T>
class BindlessTable {
 public:
  // `tag` tells the handles of different tables apart.
  explicit BindlessTable(std::uint64_t tag) : tag_(tag << kTagShift) {}

  // `owner` is not null. Throws std::bad_alloc if the table is full.
  std::uint64_t add(const T& object, const void* owner) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (free_.size() <= kChunk) grow();
    const std::uint64_t index = free_.front();
    free_.pop_front();
    Slot& slot = *slot_at(index);
    const std::uint64_t generation = (slot.handle.load(std::memory_order_relaxed) >> kGenerationShift) + 1;
    slot.object = object;
    slot.owner = owner;
    const std::uint64_t handle = generation << kGenerationShift | tag_ | index;
    slot.handle.store(handle, std::memory_order_release);
    return handle;
  }

  // The object of a handle, or null. May return one that has been removed.
  const T* find(std::uint64_t handle) const noexcept {
    const std::uint64_t index = handle & kIndexMask;
    const Slot* chunk = chunks_[index / kChunk].load(std::memory_order_acquire);
    if (!chunk) return nullptr;
    const Slot& slot = chunk[index % kChunk];
    return slot.handle.load(std::memory_order_acquire) == handle ? &slot.object : nullptr;
  }

  // The owner that add() was given; null if the handle is not live.
  const void* owner(std::uint64_t handle) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return find(handle) ? slot_at(handle & kIndexMask)->owner : nullptr;
  }

  // False if the handle is not live.
  bool remove(std::uint64_t handle) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (!find(handle) || !slot_at(handle & kIndexMask)->owner) return false;
    release(handle & kIndexMask);
    return true;
  }

  void remove_all_of(const void* owner) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (std::uint64_t index = 0; index < size_; ++index)
      if (slot_at(index)->owner == owner) release(index);
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> handle{0};
    const void* owner = nullptr;  // null once removed
    T object{};
  };
  static constexpr unsigned kTagShift = 24, kGenerationShift = 32;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << 20) - 1;
  static constexpr std::uint64_t kChunk = 256;

  Slot* slot_at(std::uint64_t index) const noexcept {
    return &chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }

  void release(std::uint64_t index) REQUIRES(mutex_) {
    slot_at(index)->owner = nullptr;
    free_.push_back(index);
  }

  void grow() REQUIRES(mutex_) {
    if (size_ > kIndexMask) {
      if (free_.empty()) throw std::bad_alloc();
      return;
    }
    chunks_[size_ / kChunk].store(new Slot[kChunk], std::memory_order_release);
    for (std::uint64_t i = 0; i < kChunk; ++i) free_.push_back(size_ + i);
    size_ += kChunk;
  }

  const std::uint64_t tag_;
  mutable Mutex mutex_ LOCK_RANK(executor_bindless_table);
  std::deque<std::uint64_t> free_ GUARDED_BY(mutex_);
  std::uint64_t size_ GUARDED_BY(mutex_) = 0;
  std::array<std::atomic<Slot*>, (kIndexMask + 1) / kChunk> chunks_{};
};

}  // namespace clcuda::ptx
