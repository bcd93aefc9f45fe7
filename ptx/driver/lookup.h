// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/stream.h"
#include "ptx/driver/thread_stream.h"

namespace clcuda::ptx::driver {

// The object behind a handle, in a context that is usable; so must the calling thread's be.
template <class T, class Handle>
Ref<T> object_of(Handle handle) {
  current_context();
  Ref<T> object = handles<T>().get(number(handle));
  object->context().require_usable();
  return object;
}

// The same for streams, among them the default ones of the current context.
inline Ref<Stream> stream_of(CUstream handle) {
  if (!handle || handle == CU_STREAM_LEGACY) return current_context().null_stream();
  if (handle == CU_STREAM_PER_THREAD) return stream_of_this_thread(current_context());
  return object_of<Stream>(handle);
}

}  // namespace clcuda::ptx::driver
