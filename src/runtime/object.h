// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_icd.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "base/ref.h"

namespace clcuda {

// The type of the object in a HandleSlot. An OpenCL handle points to a HandleSlot. All slots are in one reserved address range that is
// never unmapped, so an invalid handle (null, released, foreign, misaligned) is recognised before its object is accessed. The ICD loader
// reads the first two words of a slot (cl_khr_icd 2.0; older loaders read the first).
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
  std::uint32_t generation;  // number of objects that have used the slot
  std::atomic<Object*> object;
  HandleSlot* next_free;
  std::uint32_t shard;  // of object.cpp, to which the slot is returned
};

// The base of all classes with a handle. Each class defines its handle type, object type and error code:
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
  // `parent`: an object of the same platform (a queue's context, a context's device), whose loader data is copied.
  Object(ObjectType type, const Object& parent) : Object(type, parent.slot_->loader_data) {}
  Object(ObjectType type, void* loader_data);
  ~Object() override;
  void set_loader_data(void* data) noexcept { slot_->loader_data = data; }
  void take_loader_data(const Object& from) noexcept { slot_->loader_data = from.slot_->loader_data; }

 private:
  friend class RetiredHandle;
  HandleSlot* slot_;
};

// For destructors that call a callback of the application: take() invalidates an object's handle before the object is destroyed. The
// callback receives that handle. No other object gets the handle during the lifetime of the RetiredHandle.
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

// Sets the dispatch tables of new handles: `traced` is used if calls are traced. Called by icd/ when the library is loaded.
void set_handle_dispatch(const cl_icd_dispatch* table, const cl_icd_dispatch* traced) noexcept;

// To be called before cuInit. The driver does not work in a child process that is forked later, so all handles except platforms are invalid
// there and no call hangs.
void note_driver_started() noexcept;
namespace handles {
extern constinit std::atomic<bool> forked;
// The address and size, in bytes, of the accessible slots. `begin` is set before `size` becomes other than 0.
extern constinit std::atomic<std::uintptr_t> begin;
extern constinit std::atomic<std::size_t> size;
}  // namespace handles
inline bool lost_by_fork() noexcept { return handles::forked.load(std::memory_order_relaxed); }

// The object of that type to which the handle belongs, or null if the handle is invalid. Inline, because every entry point calls it first.
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
  return slot->object.load(std::memory_order_relaxed);
}

// Validates a handle and returns its object. Throws Error(T::kInvalid). Nothing of the object is read before that.
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

// A weak reference to an object: find() returns null once the object is destroyed, even if another object uses its handle slot.
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
