// SPDX-License-Identifier: Apache-2.0
#include "runtime/object.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

#include "base/mutex.h"

namespace clcuda {
namespace handles {
constinit std::atomic<bool> forked = false;
constinit std::atomic<std::uintptr_t> begin = 0;
constinit std::atomic<std::size_t> size = 0;
}  // namespace handles

namespace {

constinit std::atomic<const cl_icd_dispatch*> handle_dispatch = nullptr;
constinit std::atomic<bool> driver_started = false;

// The slots of all handles. Address space for every handle there can ever be is reserved at once and made readable piece by
// piece; a slot that was given back waits behind kQuarantine others before it is used again, so that a stale handle is most
// likely still seen as one.
class HandleTable {
 public:
  HandleSlot* take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (waiting_ > kQuarantine) {
      HandleSlot* slot = oldest_;
      oldest_ = slot->next_free;
      --waiting_;
      return slot;
    }
    if (!next_) reserve();
    if (next_ == end_) extend();
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
  static constexpr std::size_t kStep = std::size_t{256} << 10, kSlotsOfStep = kStep / sizeof(HandleSlot);
  static constexpr std::size_t kQuarantine = 4096;

  void reserve() REQUIRES(mutex_) {
    void* range = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw Error(CL_OUT_OF_HOST_MEMORY, "no address space for handles");
    next_ = end_ = static_cast<HandleSlot*>(range);
    handles::begin.store(reinterpret_cast<std::uintptr_t>(range), std::memory_order_relaxed);
  }

  void extend() REQUIRES(mutex_) {
    const std::size_t size = handles::size.load(std::memory_order_relaxed);
    if (size == kReserved || mprotect(end_, kStep, PROT_READ | PROT_WRITE) != 0)
      throw Error(CL_OUT_OF_HOST_MEMORY, "no memory for another handle");
    end_ += kSlotsOfStep;
    handles::size.store(size + kStep, std::memory_order_release);
  }

  Mutex mutex_ LOCK_RANK(handles);
  HandleSlot* next_ GUARDED_BY(mutex_) = nullptr;  // never used so far
  HandleSlot* end_ GUARDED_BY(mutex_) = nullptr;   // of those that can be read
  HandleSlot* oldest_ GUARDED_BY(mutex_) = nullptr;
  HandleSlot* newest_ GUARDED_BY(mutex_) = nullptr;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
};

// Never destroyed: handles may be used while the process exits.
HandleTable& table() noexcept {
  alignas(HandleTable) static std::byte place[sizeof(HandleTable)];
  static HandleTable& instance = *new (place) HandleTable;
  return instance;
}

// The dispatch table stays in the slot: a loader that is handed the dead handle still finds its way to our check.
void close(HandleSlot& slot) noexcept {
  slot.type.store(ObjectType::none, std::memory_order_release);
  slot.object = nullptr;
}

}  // namespace

Object::Object(ObjectType type, void* loader_data) : slot_(table().take()) {
  slot_->dispatch = handle_dispatch.load(std::memory_order_relaxed);
  slot_->loader_data = loader_data;
  slot_->object = this;
  ++slot_->generation;
  slot_->type.store(type, std::memory_order_release);
}

void RetiredHandle::take(Object& object) noexcept {
  slot_ = std::exchange(object.slot_, nullptr);
  close(*slot_);
}

RetiredHandle::~RetiredHandle() {
  if (slot_) table().give_back(slot_);
}

Object::~Object() {
  if (!slot_) return;
  close(*slot_);
  table().give_back(slot_);
}

void set_handle_dispatch(const cl_icd_dispatch* dispatch) noexcept { handle_dispatch = dispatch; }

void note_driver_started() noexcept {
  if (driver_started.exchange(true)) return;
  pthread_atfork(nullptr, nullptr, [] { handles::forked = true; });
}

}  // namespace clcuda
