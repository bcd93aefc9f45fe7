// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// The object behind a handle, in a context that is usable; so must the calling thread's be.
template <class T, class Handle>
Ref<T> object_of(Handle handle) {
  current_context();
  Ref<T> object = handles<T>().get(number(handle));
  object->context().require_usable();
  return object;
}

// The same for streams: the current context's NULL stream for a null one.
inline Ref<Stream> stream_of(CUstream handle) {
  if (!handle || handle == CU_STREAM_LEGACY) return current_context().null_stream();
  return object_of<Stream>(handle);
}

}  // namespace clcuda::ptx::driver
