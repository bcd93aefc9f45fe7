// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/memory_object.h"

#include "runtime/device/device_resources.h"
#include "runtime/platform/callback_thread.h"
#include "runtime/platform/usable_device.h"

namespace clcuda {

// Section 5.5.1: an object is deleted when the commands that use it have finished; its callbacks may then free its host memory.
void MemoryObject::post_behind(const LastUses& uses, DestructorCallbacks<cl_mem>::Calls tell) noexcept {
  const auto job = [context = context_, tell = std::move(tell)] { tell(); };
  if (uses.events.empty()) return context_->callback_thread().post_or_call(job);
  try {
    DeviceResources::of(usable_device(*context_)).call_behind(uses, [context = context_, job] {
      context->callback_thread().post_or_call(job);
    });
  } catch (const std::exception&) {
    context_->callback_thread().post_or_call(job);
  }
}

MemoryObject& memory_object_of(cl_mem handle) {
  for (const ObjectType type : {ObjectType::memory, ObjectType::image})
    if (Object* object = find_object(handle, type)) return static_cast<MemoryObject&>(*object);
  throw Error(CL_INVALID_MEM_OBJECT, "not a valid handle");
}

}  // namespace clcuda
