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

// Functions that all enqueue entry points share.
namespace clcuda::api {

using WaitList = std::vector<Ref<Command>>;

// The commands of an event_wait_list. Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
WaitList wait_list(const Context& context, cl_uint count, const cl_event* events);

// The buffer of a handle. It must belong to the queue's context and must not be a pipe. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
Buffer& buffer_of(const CommandQueue& queue, cl_mem handle);

// guarded() for entry points that enqueue commands: they also report the reason to the context's callback (section 4.4).
//
//   return enqueued(queue, [&] { … enqueue(…); });
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

// Enqueues a command made with `new`, of which it takes ownership. `event`, if not null, receives the command's event, unless an exception
// is thrown. With `blocking` it returns when the command is complete.
//
//   enqueue(queue, new FillBuffer(…), std::move(waits), event);
void enqueue(CommandQueue& queue, Command* command, WaitList waits, cl_event* event,
             cl_bool blocking = CL_FALSE);

constexpr cl_map_flags kMapWrites = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
// Throw CL_INVALID_VALUE for patterns and flags that the specification excludes.
void require_pattern(const void* pattern, size_t size);
void require_map_flags(cl_map_flags flags);
void require_migration_flags(cl_mem_migration_flags flags);

// clEnqueueUnmapMemObject for an image; `host` is the mapped pointer.
void unmap_image(CommandQueue& queue, Image& image, void* host, WaitList waits, cl_event* event);

// Throws CL_INVALID_OPERATION for an immutable object (cl_ext_immutable_memory_objects).
void require_mutable(const MemoryObject& object);

// Throws CL_INVALID_VALUE unless bytes [offset, offset + size) are in the buffer.
void require_inside(const Buffer& buffer, size_t offset, size_t size);

}  // namespace clcuda::api
