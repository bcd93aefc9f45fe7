// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/entry_point.h"
#include "runtime/memory/buffer.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/event.h"

namespace clcuda {
class Image;
}

// What all enqueue entry points share.
namespace clcuda::api {

using WaitList = std::vector<Ref<Command>>;

// The commands behind an event_wait_list. Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
WaitList wait_list(const Context& context, cl_uint count, const cl_event* events);

// The buffer behind a handle, of the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
Buffer& buffer_of(const CommandQueue& queue, cl_mem handle);

// guarded() for what enqueues commands: besides the code that is returned, the context's callback is told why
// (section 4.4).
void report_refusal(cl_command_queue queue) noexcept;  // inside a catch block
template <class Body>
auto telling(cl_command_queue queue, Body body) {
  return [queue, body] {
    try {
      return body();
    } catch (...) {
      report_refusal(queue);
      throw;
    }
  };
}
template <Shortage kShortage = Shortage::of_memory_objects, class Body>
cl_int enqueued(cl_command_queue queue, Body body, const char* function = __builtin_FUNCTION()) noexcept {
  return guarded<kShortage>(queue, telling(queue, body), function);
}

// Takes over a command made with `new`. `event`, where not null, receives its handle, if nothing is thrown.
void enqueue(CommandQueue& queue, Command* command, WaitList waits, cl_event* event,
             cl_bool blocking = CL_FALSE);

constexpr cl_map_flags kMapWrites = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
// CL_INVALID_VALUE for what no fill, map or migration takes.
void require_pattern(const void* pattern, size_t size);
void require_map_flags(cl_map_flags flags);
void require_migration_flags(cl_mem_migration_flags flags);

// The image's half of clEnqueueUnmapMemObject.
void unmap_image(CommandQueue& queue, Image& image, void* host, WaitList waits, cl_event* event);

// CL_INVALID_OPERATION of what would change an immutable object.
void require_mutable(const MemoryObject& object);

// CL_INVALID_VALUE unless bytes [offset, offset + size) lie in the buffer.
void require_inside(const Buffer& buffer, size_t offset, size_t size);

}  // namespace clcuda::api
