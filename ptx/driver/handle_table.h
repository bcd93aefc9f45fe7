// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {

enum class HandleType : std::uint32_t {
  stream = 1,
  event,
  module,
  function,
  link,
  memory_pool,
  array,
  mipmapped_array,
  green_context,
  graph,
  graph_node,
  executable_graph
};

// The objects of one type, by handle. A handle is a number (generation, type, slot), not an address, so that null, freed, foreign and
// arbitrary handles are recognised without dereferencing them. Lookups take no lock.
//
//   std::uint64_t handle = handles<Event>().add(event);
//   Ref<Event> event = handles<Event>().get(handle);   // or DriverError{CUDA_ERROR_INVALID_HANDLE}
template <class T>
class HandleTable {
 public:
  explicit HandleTable(HandleType type) : type_(type) {}

  // Keeps the object until remove(); returns its handle.
  std::uint64_t add(Ref<T> object) EXCLUDES(mutex_) {
    std::uint32_t index;
    {
      MutexLock lock(mutex_);
      if (free_.empty()) grow();
      index = free_.back();
      free_.pop_back();
    }
    Slot& slot = *find_slot(index);
    object->hold();
    slot.object = object.get();
    const std::uint64_t state = slot.state.fetch_add(kGeneration, std::memory_order_acq_rel) + kGeneration;
    return (state & kGenerationMask) | std::uint64_t{static_cast<std::uint32_t>(type_)} << kIndexBits | index;
  }

  // Empty if the handle is not live.
  Ref<T> find(std::uint64_t handle) const noexcept {
    Slot* slot = find_live(handle);
    return slot ? pinned(*slot, handle & kGenerationMask) : Ref<T>();
  }

  // As find(); throws DriverError{CUDA_ERROR_INVALID_HANDLE} if the handle is not live.
  Ref<T> get(std::uint64_t handle) const {
    Ref<T> object = find(handle);
    require(static_cast<bool>(object), CUDA_ERROR_INVALID_HANDLE);
    return object;
  }

  // Ends the handle's life and returns the object; of several threads that try, one gets it. Empty if it was
  // not live.
  Ref<T> remove(std::uint64_t handle) EXCLUDES(mutex_) {
    Slot* slot = find_live(handle);
    if (!slot) return {};
    std::uint64_t state = slot->state.load(std::memory_order_acquire);
    do {
      if ((state & kGenerationMask) != (handle & kGenerationMask)) return {};
    } while (!slot->state.compare_exchange_weak(state, state + kGeneration, std::memory_order_acq_rel));
    while (slot->state.load(std::memory_order_acquire) & kPinMask)
      std::this_thread::yield();  // lookups that were just passing
    Ref<T> object(slot->object);
    slot->object->drop();
    slot->object = nullptr;
    MutexLock lock(mutex_);
    free_.push_back(static_cast<std::uint32_t>(handle & kIndexMask));
    return object;
  }

  // The handles of all live objects for which `condition` holds.
  template <class Condition>
  std::vector<std::uint64_t> handles_if(const Condition& condition) const EXCLUDES(mutex_) {
    std::uint32_t size;
    {
      MutexLock lock(mutex_);
      size = size_;
    }
    std::vector<std::uint64_t> handles;
    for (std::uint32_t index = 0; index < size; ++index) {
      Slot& slot = *find_slot(index);
      const std::uint64_t generation = slot.state.load(std::memory_order_acquire) & kGenerationMask;
      if (!(generation & kGeneration)) continue;
      if (Ref<T> object = pinned(slot, generation); object && condition(*object))
        handles.push_back(generation | std::uint64_t{static_cast<std::uint32_t>(type_)} << kIndexBits |
                          index);
    }
    return handles;
  }

 private:
  // state: the generation, odd while the slot is live, above the number of lookups that are reading `object`.
  struct Slot {
    std::atomic<std::uint64_t> state{0};
    T* object = nullptr;
  };
  static constexpr std::uint64_t kGeneration = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kGenerationMask = ~(kGeneration - 1);
  static constexpr std::uint64_t kPinMask = kGeneration - 1;
  static constexpr unsigned kIndexBits = 24;
  static constexpr std::uint64_t kIndexMask = (1u << kIndexBits) - 1;
  static constexpr std::uint32_t kChunk = 1024;

  Slot* find_slot(std::uint64_t index) const noexcept {
    Slot* chunk = chunks_[index / kChunk].load(std::memory_order_acquire);
    return chunk ? &chunk[index % kChunk] : nullptr;
  }

  Slot* find_live(std::uint64_t handle) const noexcept {
    const bool ours = (handle & kGeneration) &&
                      (handle & (kGeneration - 1)) >> kIndexBits == static_cast<std::uint32_t>(type_);
    return ours ? find_slot(handle & kIndexMask) : nullptr;
  }

  Ref<T> pinned(Slot& slot, std::uint64_t generation) const noexcept {
    std::uint64_t state = slot.state.load(std::memory_order_acquire);
    do {
      if ((state & kGenerationMask) != generation) return {};
    } while (!slot.state.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel));
    Ref<T> object(slot.object);
    slot.state.fetch_sub(1, std::memory_order_release);
    return object;
  }

  void grow() REQUIRES(mutex_) {
    if (size_ == kIndexMask + 1) throw std::bad_alloc();
    free_.reserve(size_ + kChunk);
    chunks_[size_ / kChunk].store(new Slot[kChunk], std::memory_order_release);
    for (std::uint32_t i = kChunk; i > 0; --i) free_.push_back(size_ + i - 1);
    size_ += kChunk;
  }

  const HandleType type_;
  mutable Mutex mutex_ LOCK_RANK(executor_handles);
  std::vector<std::uint32_t> free_ GUARDED_BY(mutex_);
  std::uint32_t size_ GUARDED_BY(mutex_) = 0;
  std::array<std::atomic<Slot*>, (std::size_t{1} << kIndexBits) / kChunk> chunks_{};
};

// The table of a class's objects.
template <class T>
HandleTable<T>& handles() {
  static HandleTable<T>& table = *new HandleTable<T>(T::kHandleType);
  return table;
}

template <class Handle>
std::uint64_t number(Handle handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle);
}
template <class Handle>
Handle handle_from(std::uint64_t number) noexcept {
  return reinterpret_cast<Handle>(number);
}

}  // namespace clcuda::ptx::driver
