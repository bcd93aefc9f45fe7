// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_object.h"

#include "base/log.h"
#include "runtime/engine.h"
#include "runtime/notifier.h"
#include "runtime/workers.h"

namespace clcuda {

void MemoryObject::add_destructor_callback(DestructorCallback function, void* user) {
  MutexLock lock(callbacks_mutex_);
  destructor_callbacks_.emplace_back(function, user);
}

bool MemoryObject::has_destructor_callbacks() noexcept {
  MutexLock lock(callbacks_mutex_);
  return !destructor_callbacks_.empty();
}

// Section 5.5.1: an object goes when the commands that use it have finished, and its callbacks, the last one set first, may then
// give back the host memory under it.
void MemoryObject::tell_destructor_callbacks(LastUses last_uses) noexcept {
  try {
    MutexLock lock(callbacks_mutex_);
    auto uses = std::make_shared<LastUses>(std::move(last_uses));
    auto tell = [context = context_, handle = static_cast<cl_mem>(raw_handle()),
                 callbacks = std::move(destructor_callbacks_)] {
      for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback)
        callback->first(handle, callback->second);
    };
    Workers::post([context = context_, uses, tell = std::move(tell)] {
      for (const cuda::Event& event : *uses) event.wait();
      context->notifier().post(tell);
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
