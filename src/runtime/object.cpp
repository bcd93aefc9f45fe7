// SPDX-License-Identifier: Apache-2.0
#include "runtime/object.h"

#include <pthread.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/mutex.h"
#include "base/trace/trace.h"

namespace clcuda {
namespace handles {
constinit std::atomic<bool> forked = false;
constinit std::atomic<std::uintptr_t> begin = 0;
constinit std::atomic<std::size_t> size = 0;
}  // namespace handles

namespace {

constinit std::atomic<const cl_icd_dispatch*> handle_dispatch = nullptr, traced_handle_dispatch = nullptr;
constinit std::atomic<bool> driver_started = false;

constexpr std::size_t kReserved = std::size_t{1} << 30;  // 16 million handles
constexpr std::size_t kStep = std::size_t{256} << 10, kSlotsOfStep = kStep / sizeof(HandleSlot);

// The address of the first slot. The address space for all slots is reserved at once.
std::uintptr_t begin_of_slots() {
  if (const std::uintptr_t begin = handles::begin.load(std::memory_order_acquire)) return begin;
  void* range = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) throw Error(CL_OUT_OF_HOST_MEMORY, "no address space for handles");
  std::uintptr_t first = 0;
  const auto mine = reinterpret_cast<std::uintptr_t>(range);
  if (handles::begin.compare_exchange_strong(first, mine, std::memory_order_acq_rel)) return mine;
  munmap(range, kReserved);  // another thread was first
  return first;
}

// Makes another kSlotsOfStep slots accessible and returns the first. Lock-free: if several threads try to take the same step, one gets it
// and the others try the next.
HandleSlot* add_slots() {
  const std::uintptr_t begin = begin_of_slots();
  std::size_t size = handles::size.load(std::memory_order_acquire);
  for (;;) {
    auto* first = reinterpret_cast<HandleSlot*>(begin + size);
    if (size == kReserved || mprotect(first, kStep, PROT_READ | PROT_WRITE) != 0)
      throw Error(CL_OUT_OF_HOST_MEMORY, "no memory for another handle");
    if (handles::size.compare_exchange_weak(size, size + kStep, std::memory_order_acq_rel)) return first;
  }
}

// A part of the slots, used by some of the threads, so that threads that create and release objects rarely contend. A slot that was given
// back is reused only after kQuarantine others of its shard, so that a stale handle is most likely still recognised as invalid.
class alignas(64) HandleShard {
 public:
  HandleSlot* take(std::uint32_t shard) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (waiting_ > kQuarantine) {
      HandleSlot* slot = oldest_;
      oldest_ = slot->next_free;
      --waiting_;
      return slot;
    }
    if (next_ == end_) {
      next_ = add_slots();
      end_ = next_ + kSlotsOfStep;
    }
    next_->shard = shard;
    return next_++;
  }

  void give_back(HandleSlot* slot) noexcept EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    slot->next_free = nullptr;
    (waiting_++ ? newest_->next_free : oldest_) = slot;
    newest_ = slot;
  }

 private:
  static constexpr std::size_t kQuarantine = 4096;

  Mutex mutex_ LOCK_RANK(handles);
  HandleSlot* next_ GUARDED_BY(mutex_) = nullptr;  // the first never used
  HandleSlot* end_ GUARDED_BY(mutex_) = nullptr;
  HandleSlot* oldest_ GUARDED_BY(mutex_) = nullptr;
  HandleSlot* newest_ GUARDED_BY(mutex_) = nullptr;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
};

// Initialised at compile time and never destroyed: handles may be used while the process exits.
constexpr std::uint32_t kShards = 16;
constinit std::array<HandleShard, kShards> shards;

HandleSlot* take_slot() {
  static constinit std::atomic<std::uint32_t> threads = 0;
  constexpr std::uint32_t kNone = kShards;
  static constinit thread_local std::uint32_t shard_of_thread = kNone;
  if (shard_of_thread == kNone) shard_of_thread = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return shards[shard_of_thread].take(shard_of_thread);
}

void give_back_slot(HandleSlot* slot) noexcept { shards[slot->shard].give_back(slot); }

// The dispatch table stays in the slot: a loader that is passed the released handle still calls clcuda, which rejects it.
void close(HandleSlot& slot) noexcept {
  slot.type.store(ObjectType::none, std::memory_order_release);
  slot.object.store(nullptr, std::memory_order_relaxed);
}

}  // namespace

Object::Object(ObjectType type, void* loader_data) : slot_(take_slot()) {
  slot_->dispatch =
      (trace::active() ? traced_handle_dispatch : handle_dispatch).load(std::memory_order_relaxed);
  slot_->loader_data = loader_data;
  slot_->object.store(this, std::memory_order_relaxed);
  ++slot_->generation;
  slot_->type.store(type, std::memory_order_release);
}

void RetiredHandle::take(Object& object) noexcept {
  slot_ = std::exchange(object.slot_, nullptr);
  close(*slot_);
}

RetiredHandle::~RetiredHandle() {
  if (slot_) give_back_slot(slot_);
}

Object::~Object() {
  if (!slot_) return;
  close(*slot_);
  give_back_slot(slot_);
}

void set_handle_dispatch(const cl_icd_dispatch* table, const cl_icd_dispatch* traced) noexcept {
  handle_dispatch = table;
  traced_handle_dispatch = traced;
}

void note_driver_started() noexcept {
  if (driver_started.exchange(true)) return;
  pthread_atfork(nullptr, nullptr, [] { handles::forked = true; });
}

}  // namespace clcuda
