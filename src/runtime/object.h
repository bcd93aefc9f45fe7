// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_icd.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "base/ref.h"

namespace clcuda {

// What an OpenCL handle points to. Slots lie in one reserved address range that is never unmapped, so any
// wrong handle (null, freed, foreign, odd) is told from a right one before anything behind it is trusted. The
// ICD loader reads the first two words (cl_khr_icd 2.0; older loaders read the first).
enum class ObjectType : std::uint32_t {
  none,
  platform,
  device,
  context,
  command_queue,
  device_queue,
  memory,  // a buffer or pipe
  image,
  sampler,
  program,
  kernel,
  event
};

class Object;

struct alignas(64) HandleSlot {
  const cl_icd_dispatch* dispatch;
  void* loader_data;
  std::atomic<ObjectType> type;
  std::uint32_t generation;  // how many objects have lived here
  Object* object;
  HandleSlot* next_free;
  std::uint32_t shard;  // of the table (object.cpp), to which it goes back
};

// The base of every class behind a handle. A class T says its own handle type, tag and error:
//
//   class Event : public Object {
//    public:
//     using Handle = cl_event;
//     static constexpr ObjectType kType = ObjectType::event;
//     static constexpr cl_int kInvalid = CL_INVALID_EVENT;
class Object : public RefCounted {
 public:
  void* raw_handle() const noexcept { return slot_; }
  std::uint32_t generation() const noexcept { return slot_->generation; }

 protected:
  // `parent`: an object of the same platform (a queue's context, a context's device), whose loader data the
  // handle takes over.
  Object(ObjectType type, const Object& parent) : Object(type, parent.slot_->loader_data) {}
  Object(ObjectType type, void* loader_data);
  ~Object() override;
  void set_loader_data(void* data) noexcept { slot_->loader_data = data; }
  void take_loader_data(const Object& from) noexcept { slot_->loader_data = from.slot_->loader_data; }

 private:
  friend class RetiredHandle;
  HandleSlot* slot_;
};

// For destructors that call the application back: the handle of an object, whose life it ends before the
// object's own. While this is kept, no other object gets that handle, which the application is shown once
// more.
class RetiredHandle {
 public:
  RetiredHandle() = default;
  ~RetiredHandle();
  RetiredHandle(const RetiredHandle&) = delete;
  RetiredHandle& operator=(const RetiredHandle&) = delete;

  void take(Object& object) noexcept;
  void* get() const { return slot_; }

 private:
  HandleSlot* slot_ = nullptr;
};

// The table that new handles begin with; icd/ sets it when the library is loaded.
void set_handle_dispatch(const cl_icd_dispatch* table) noexcept;

// Once the driver runs, a fork leaves the child without it: every handle but a platform is then invalid
// there, and nothing hangs.
void note_driver_started() noexcept;
namespace handles {
extern constinit std::atomic<bool> forked;
// The slots that can be read: a size that is not 0 comes after the beginning.
extern constinit std::atomic<std::uintptr_t> begin;
extern constinit std::atomic<std::size_t> size;
}  // namespace handles
inline bool lost_by_fork() noexcept { return handles::forked.load(std::memory_order_relaxed); }

// The live object of that type behind a handle, or null. Inline, because every call of the application begins
// with it.
inline Object* find_object(const void* handle, ObjectType type) noexcept {
  const std::size_t size = handles::size.load(std::memory_order_acquire);
  const std::uintptr_t offset =
      reinterpret_cast<std::uintptr_t>(handle) - handles::begin.load(std::memory_order_relaxed);
  if (offset >= size || offset % sizeof(HandleSlot) != 0) [[unlikely]]
    return nullptr;
  const auto* slot = static_cast<const HandleSlot*>(handle);
  if (slot->type.load(std::memory_order_acquire) != type) [[unlikely]]
    return nullptr;
  if (lost_by_fork() && type != ObjectType::platform) [[unlikely]]
    return nullptr;
  return slot->object;
}

// The cast that is the check: the object behind a handle, or Error{T::kInvalid}. Nothing of the object is
// read before it.
template <class T>
T& object_of(typename T::Handle handle) {
  Object* object = find_object(handle, T::kType);
  if (!object) [[unlikely]]
    throw Error(T::kInvalid, "not a valid handle");
  return static_cast<T&>(*object);
}

template <class T>
typename T::Handle handle_of(const T& object) noexcept {
  return static_cast<typename T::Handle>(object.raw_handle());
}

// Remembers an object without keeping it alive: find() answers null once it is gone, even if its handle's
// place is in use again.
template <class T>
class WeakHandle {
 public:
  WeakHandle() = default;
  explicit WeakHandle(const T& object) noexcept
      : handle_(object.raw_handle()), generation_(object.generation()) {}
  T* find() const noexcept {
    Object* object = find_object(handle_, T::kType);
    return object && object->generation() == generation_ ? static_cast<T*>(object) : nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::uint32_t generation_ = 0;
};

}  // namespace clcuda
