// SPDX-License-Identifier: Apache-2.0
#include "runtime/object.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>

#include "base/mutex.h"

namespace clcuda {
namespace {

constinit std::atomic<const cl_icd_dispatch*> handle_dispatch = nullptr;
constinit std::atomic<bool> driver_started = false;
constinit std::atomic<bool> forked = false;

// The slots of all handles. Address space for every handle there can ever be is reserved at once and made readable piece by
// piece; a slot that was given back waits behind kQuarantine others before it is used again, so that a stale handle is most
// likely still seen as one.
class HandleTable {
 public:
  // Readable slots begin at begin() and end at end(); both are null before the first handle is made.
  const HandleSlot* begin() const noexcept { return begin_.load(std::memory_order_acquire); }
  const HandleSlot* end() const noexcept { return end_.load(std::memory_order_acquire); }

  HandleSlot* take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (waiting_ > kQuarantine) {
      HandleSlot* slot = oldest_;
      oldest_ = slot->next_free;
      --waiting_;
      return slot;
    }
    if (!begin_.load(std::memory_order_relaxed)) reserve();
    if (next_ == end_.load(std::memory_order_relaxed)) extend();
    return next_++;
  }

  void give_back(HandleSlot* slot) noexcept EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    slot->next_free = nullptr;
    (waiting_++ ? newest_->next_free : oldest_) = slot;
    newest_ = slot;
  }

 private:
  static constexpr std::size_t kReserved = std::size_t{1} << 30;  // 16 million handles
  static constexpr std::size_t kStep = std::size_t{256} << 10;
  static constexpr std::size_t kQuarantine = 4096;

  void reserve() REQUIRES(mutex_) {
    void* range = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw Error(CL_OUT_OF_HOST_MEMORY, "no address space for handles");
    next_ = static_cast<HandleSlot*>(range);
    limit_ = static_cast<std::byte*>(range) + kReserved;
    end_.store(next_, std::memory_order_release);
    begin_.store(next_, std::memory_order_release);
  }

  void extend() REQUIRES(mutex_) {
    auto* end = reinterpret_cast<std::byte*>(next_);
    if (end == limit_ || mprotect(end, kStep, PROT_READ | PROT_WRITE) != 0)
      throw Error(CL_OUT_OF_HOST_MEMORY, "no memory for another handle");
    end_.store(reinterpret_cast<HandleSlot*>(end + kStep), std::memory_order_release);
  }

  Mutex mutex_;
  std::atomic<HandleSlot*> begin_ = nullptr;
  std::atomic<HandleSlot*> end_ = nullptr;
  HandleSlot* next_ GUARDED_BY(mutex_) = nullptr;  // never used so far
  std::byte* limit_ GUARDED_BY(mutex_) = nullptr;
  HandleSlot* oldest_ GUARDED_BY(mutex_) = nullptr;
  HandleSlot* newest_ GUARDED_BY(mutex_) = nullptr;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
};

// Never destroyed: handles may be used while the process exits.
HandleTable& table() noexcept {
  static HandleTable& instance = *new HandleTable;
  return instance;
}

}  // namespace

Object::Object(ObjectType type, void* loader_data) : slot_(table().take()) {
  slot_->dispatch = handle_dispatch.load(std::memory_order_relaxed);
  slot_->loader_data = loader_data;
  slot_->object = this;
  ++slot_->generation;
  slot_->type.store(type, std::memory_order_release);
}

Object::~Object() {
  // The dispatch table stays in the slot: a loader that is handed the dead handle still finds its way to our check.
  slot_->type.store(ObjectType::none, std::memory_order_release);
  slot_->object = nullptr;
  table().give_back(slot_);
}

Object* find_object(const void* handle, ObjectType type) noexcept {
  const auto* slot = static_cast<const HandleSlot*>(handle);
  const HandleTable& slots = table();
  if (!slot || slot < slots.begin() || slot >= slots.end()) [[unlikely]]
    return nullptr;
  if (reinterpret_cast<std::uintptr_t>(slot) % sizeof(HandleSlot) != 0) [[unlikely]]
    return nullptr;
  if (slot->type.load(std::memory_order_acquire) != type) [[unlikely]]
    return nullptr;
  if (forked.load(std::memory_order_relaxed) && type != ObjectType::platform) [[unlikely]]
    return nullptr;
  return slot->object;
}

void set_handle_dispatch(const cl_icd_dispatch* dispatch) noexcept { handle_dispatch = dispatch; }

void note_driver_started() noexcept {
  if (driver_started.exchange(true)) return;
  pthread_atfork(nullptr, nullptr, [] { forked = true; });
}

bool lost_by_fork() noexcept { return forked.load(std::memory_order_relaxed); }

}  // namespace clcuda
