// SPDX-License-Identifier: Apache-2.0
#include "api/enqueue.h"

#include "api/known_values.h"

namespace clcuda::api {

WaitList wait_list(const Context& context, cl_uint count, const cl_event* events) {
  // Section 5.10: CL_INVALID_EVENT_WAIT_LIST if there is a list without a count, a count without a list, or an invalid event in the list.
  require((count == 0) == (events == nullptr), CL_INVALID_EVENT_WAIT_LIST,
          "an event list without a count, or a count without a list");
  WaitList waits;
  waits.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    auto* event = static_cast<Event*>(find_object(events[i], ObjectType::event));
    require(event, CL_INVALID_EVENT_WAIT_LIST, "not a valid event in the wait list");
    require(&event->command().context() == &context, CL_INVALID_CONTEXT, "an event of another context");
    waits.emplace_back(event->command());
  }
  return waits;
}

// Sections 5.2.2 to 5.2.4: a buffer (a pipe is none) of the queue's context.
Buffer& buffer_of(const CommandQueue& queue, cl_mem handle) {
  Buffer& buffer = object_of<Buffer>(handle);
  require(&buffer.context() == &queue.context(), CL_INVALID_CONTEXT,
          "the queue and the buffer are of different contexts");
  require(!buffer.pipe(), CL_INVALID_MEM_OBJECT, "a pipe where a buffer belongs");
  return buffer;
}

void report_refusal(cl_command_queue handle) noexcept {
  const auto* queue = static_cast<CommandQueue*>(find_object(handle, ObjectType::command_queue));
  if (!queue) return;
  try {
    throw;
  } catch (const std::exception& error) {
    queue->context().notify(error.what());
  } catch (...) {
  }
}

void enqueue(CommandQueue& queue, Command* made, WaitList waits, cl_event* event, cl_bool blocking) {
  const Ref<Command> command = Ref<Command>::adopt(made);
  // Created before the command is enqueued, because nothing may fail afterwards.
  Event* handle = event ? new Event(command) : nullptr;
  try {
    queue.enqueue(command, std::move(waits), event != nullptr,
                  blocking ? CommandQueue::Mode::blocking : CommandQueue::Mode::asynchronous);
  } catch (...) {
    if (handle) handle->release_api();
    throw;
  }
  if (handle) *event = handle_of(*handle);
}

// Section 5.2.3.
void require_pattern(const void* pattern, size_t size) {
  require(pattern && size > 0 && size <= 128 && (size & (size - 1)) == 0, CL_INVALID_VALUE,
          "a pattern has 1, 2, 4, 8, 16, 32, 64 or 128 bytes");
}

// Section 5.2.4.
void require_map_flags(cl_map_flags flags) {
  require_flags(flags, CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE,
                "an unknown map flag");
  require(!(flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(flags & (CL_MAP_READ | CL_MAP_WRITE)),
          CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes the other map flags");
}

// Section 5.5.5.
void require_migration_flags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags kKnown =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  require_flags(flags, kKnown, CL_INVALID_VALUE, "an unknown migration flag");
}

void require_mutable(const MemoryObject& object) {
  require(!object.is_immutable(), CL_INVALID_OPERATION, "the object is immutable");
}

// Sections 5.2.2 to 5.2.4: regions lie within the buffer.
void require_inside(const Buffer& buffer, size_t offset, size_t size) {
  require(offset <= buffer.size() && size <= buffer.size() - offset, CL_INVALID_VALUE,
          "beyond the end of the buffer");
}

}  // namespace clcuda::api
