// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_object.h"

#include "base/log.h"
#include "runtime/engine.h"
#include "runtime/notifier.h"
#include "runtime/workers.h"

namespace clcuda {

// Section 5.5.1: an object goes when the commands that use it have finished, and its callbacks may then give back the host memory
// under it.
void MemoryObject::tell_behind(LastUses last_uses, DestructorCallbacks<cl_mem>::Calls tell) noexcept {
  try {
    auto uses = std::make_shared<LastUses>(std::move(last_uses));
    Workers::post([context = context_, uses, tell = std::move(tell)] {
      for (const cuda::Event& event : *uses) event.wait();
      context->notifier().post([context, tell] { tell(); });
    });
  } catch (const std::exception& error) {
    log::error("destructor callbacks of a memory object: {}", error.what());
  }
}

MemoryObject& memory_object_of(cl_mem handle) {
  for (const ObjectType type : {ObjectType::memory, ObjectType::image})
    if (Object* object = find_object(handle, type)) return static_cast<MemoryObject&>(*object);
  throw Error(CL_INVALID_MEM_OBJECT, "not a valid handle");
}

}  // namespace clcuda
