// SPDX-License-Identifier: Apache-2.0
// Markers, barriers and waiting in a queue.
#include "api/enqueue.h"

namespace clcuda::api {
namespace {

// Section 5.12: with a list, the command waits for the list; without one, for all commands that were enqueued before.
void synchronize(cl_command_queue queue_handle, cl_command_type type, cl_uint wait_count,
                 const cl_event* waits, cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  const Command::Ordering ordering{.waits_for_all = list.empty(), .is_barrier = type == CL_COMMAND_BARRIER};
  enqueue(queue, new Command(queue, type, ordering), std::move(list), event);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                               const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(
      queue, [&] { synchronize(queue, CL_COMMAND_MARKER, wait_count, waits, event); });
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                                const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(
      queue, [&] { synchronize(queue, CL_COMMAND_BARRIER, wait_count, waits, event); });
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue, [&] {
    object_of<CommandQueue>(queue);
    require(event, CL_INVALID_VALUE, "a marker without an event");
    synchronize(queue, CL_COMMAND_MARKER, 0, nullptr, event);
  });
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  return enqueued<Shortage::of_resources>(
      queue, [&] { synchronize(queue, CL_COMMAND_BARRIER, 0, nullptr, nullptr); });
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* events) {
  return enqueued<Shortage::of_resources>(queue, [&] {
    object_of<CommandQueue>(queue);
    require(count > 0 && events, CL_INVALID_VALUE, "no events to wait for");
    for (cl_uint i = 0; i < count; ++i) object_of<Event>(events[i]);
    synchronize(queue, CL_COMMAND_BARRIER, count, events, nullptr);
  });
}
