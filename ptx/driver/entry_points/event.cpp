// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/event.h"

#include <utility>

#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/event_commands.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

CUresult cuEventCreate(CUevent* handle, unsigned flags) {
  return entry([&] {
    constexpr unsigned kKnown = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    CUevent& out = required(handle);
    require((flags & ~kKnown) == 0);
    require(!(flags & CU_EVENT_INTERPROCESS), CUDA_ERROR_NOT_SUPPORTED);
    // CU_EVENT_BLOCKING_SYNC changes nothing: every wait polls for a moment only, then blocks.
    out = handle_from<CUevent>(handles<Event>().add(
        Ref<Event>::adopt(new Event(current_context(), !(flags & CU_EVENT_DISABLE_TIMING)))));
    return CUDA_SUCCESS;
  });
}

// A pending record is not affected: streams that wait for it hold a reference to it.
CUresult cuEventDestroy(CUevent handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    require(static_cast<bool>(handles<Event>().remove(number(handle))), CUDA_ERROR_INVALID_HANDLE);
    return current.status();
  });
}

CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  return entry([&] {
    const Ref<Event> event = object_of<Event>(handle);
    record(*event, *stream_of(stream_handle));
    return CUDA_SUCCESS;
  });
}

// The stream waits for the event's current record. Later records have no effect on it.
CUresult cuStreamWaitEvent(CUstream stream_handle, CUevent handle, unsigned flags) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(stream_handle);
    require((flags & ~static_cast<unsigned>(CU_EVENT_WAIT_EXTERNAL)) == 0);
    const Ref<Event> event = handles<Event>().get(number(handle));
    event->context().require_usable();
    Ref<EventRecord> record = event->latest();
    if (record && !record->complete()) stream->enqueue(std::make_unique<WaitCommand>(std::move(record)));
    return CUDA_SUCCESS;
  });
}

CUresult cuEventQuery(CUevent handle) {
  return entry([&] {
    const Ref<EventRecord> record = object_of<Event>(handle)->latest();
    const bool complete = !record || record->complete();
    if (record) record->context().require_usable();
    return complete ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuEventSynchronize(CUevent handle) {
  return entry([&] {
    const Ref<EventRecord> record = object_of<Event>(handle)->latest();
    return record ? record->context().wait_until([&] { return record->complete(); }) : CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start_handle, CUevent end_handle) {
  return entry([&] {
    float& out = required(milliseconds);
    const Ref<Event> start = object_of<Event>(start_handle), end = object_of<Event>(end_handle);
    const Ref<EventRecord> from = start->latest(), to = end->latest();
    require(start->timing() && end->timing() && from && to, CUDA_ERROR_INVALID_HANDLE);
    require(&start->context() == &end->context(), CUDA_ERROR_INVALID_HANDLE);
    if (!from->complete() || !to->complete()) return CUDA_ERROR_NOT_READY;
    out = static_cast<float>(to->nanoseconds() - from->nanoseconds()) * 1e-6f;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
