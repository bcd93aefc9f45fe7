// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/event.h"

#include <utility>

#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

Ref<Event> event_of(CUevent handle) {
  current_context();
  Ref<Event> event = event_handles().get(number(handle));
  event->context().require_usable();
  return event;
}

}  // namespace

Ref<Record> Event::latest() const {
  MutexLock lock(mutex_);
  return latest_;
}

void Event::set_latest(Ref<Record> record) {
  MutexLock lock(mutex_);
  std::swap(latest_, record);  // the old one is dropped after the lock
}

HandleTable<Event>& event_handles() {
  static HandleTable<Event>& handles = *new HandleTable<Event>(HandleType::event);
  return handles;
}

CUresult cuEventCreate(CUevent* handle, unsigned flags) {
  return entry([&] {
    constexpr unsigned kKnown = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    CUevent& out = required(handle);
    require((flags & ~kKnown) == 0);
    require(!(flags & CU_EVENT_INTERPROCESS), CUDA_ERROR_NOT_SUPPORTED);
    // CU_EVENT_BLOCKING_SYNC changes nothing: every wait is busy for a moment only, then blocks.
    out = handle_from<CUevent>(event_handles().add(
        Ref<Event>::adopt(new Event(current_context(), !(flags & CU_EVENT_DISABLE_TIMING)))));
    return CUDA_SUCCESS;
  });
}

// A pending record goes on: streams that wait for it hold it.
CUresult cuEventDestroy(CUevent handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    require(static_cast<bool>(event_handles().remove(number(handle))), CUDA_ERROR_INVALID_HANDLE);
    return current.status();
  });
}

CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  return entry([&] {
    const Ref<Event> event = event_of(handle);
    const Ref<Stream> stream = stream_of(stream_handle);
    require(&event->context() == &stream->context(), CUDA_ERROR_INVALID_HANDLE);
    Ref<Record> record = Ref<Record>::adopt(new Record(Ref<Context>(&stream->context())));
    stream->enqueue(std::make_unique<RecordCommand>(record));
    event->set_latest(std::move(record));
    return CUDA_SUCCESS;
  });
}

// What is waited for is the record as it is now; later records of the event do not count.
CUresult cuStreamWaitEvent(CUstream stream_handle, CUevent handle, unsigned flags) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(stream_handle);
    require((flags & ~static_cast<unsigned>(CU_EVENT_WAIT_EXTERNAL)) == 0);
    const Ref<Event> event = event_handles().get(number(handle));
    event->context().require_usable();
    Ref<Record> record = event->latest();
    if (record && !record->complete()) stream->enqueue(std::make_unique<WaitCommand>(std::move(record)));
    return CUDA_SUCCESS;
  });
}

CUresult cuEventQuery(CUevent handle) {
  return entry([&] {
    const Ref<Record> record = event_of(handle)->latest();
    const bool complete = !record || record->complete();
    if (record) record->context().require_usable();
    return complete ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuEventSynchronize(CUevent handle) {
  return entry([&] {
    const Ref<Record> record = event_of(handle)->latest();
    return record ? record->context().wait_until([&] { return record->complete(); }) : CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start_handle, CUevent end_handle) {
  return entry([&] {
    float& out = required(milliseconds);
    const Ref<Event> start = event_of(start_handle), end = event_of(end_handle);
    const Ref<Record> from = start->latest(), to = end->latest();
    require(start->timing() && end->timing() && from && to, CUDA_ERROR_INVALID_HANDLE);
    require(&start->context() == &end->context(), CUDA_ERROR_INVALID_HANDLE);
    if (!from->complete() || !to->complete()) return CUDA_ERROR_NOT_READY;
    out = static_cast<float>(to->nanoseconds() - from->nanoseconds()) * 1e-6f;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
