// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_icd.h>

#include <cstdint>

#include "base/error.h"
#include "base/ref.h"

namespace clcuda {

// What an OpenCL handle points to. Slots lie in one reserved address range that is never unmapped, so any wrong handle (null, freed,
// foreign, odd) is told from a right one before anything behind it is trusted. The ICD loader reads the first two words
// (cl_khr_icd 2.0; older loaders read the first).
enum class ObjectType : std::uint32_t { none, platform, device, context, command_queue, memory, sampler, program, kernel, event };

class Object;

struct alignas(64) HandleSlot {
  const cl_icd_dispatch* dispatch;
  void* loader_data;
  std::atomic<ObjectType> type;
  Object* object;
  HandleSlot* next_free;
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

 protected:
  explicit Object(ObjectType type);
  ~Object() override;

 private:
  HandleSlot* slot_;
};

// The live object of that type behind a handle, or null.
Object* find_object(const void* handle, ObjectType type) noexcept;

// The cast that is the check: the object behind a handle, or Error{T::kInvalid}. Nothing of the object is read before it.
template <class T>
T& object_of(typename T::Handle handle) {
  Object* object = find_object(handle, T::kType);
  if (!object) throw Error(T::kInvalid, "not a valid handle");
  return static_cast<T&>(*object);
}

template <class T>
typename T::Handle handle_of(const T& object) noexcept {
  return static_cast<typename T::Handle>(object.raw_handle());
}

}  // namespace clcuda
