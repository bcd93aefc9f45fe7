// SPDX-License-Identifier: Apache-2.0
// Commands on contiguous ranges of buffers.
#include "api/enqueue_buffer.h"

#include "api/image_region.h"
#include "api/memory_flags.h"
#include "runtime/commands/direct_transfer.h"
#include "runtime/commands/fill_buffer.h"
#include "runtime/commands/migrate_buffers.h"
#include "runtime/commands/transfer.h"

namespace clcuda::api {
namespace {

HostTransfer plain_transfer(bool to_device, size_t offset, size_t size, void* host) {
  HostTransfer transfer{.to_device = to_device, .region = {size, 1, 1}};
  transfer.device.device = offset;
  transfer.host.host = host;
  return transfer;
}

// Section 5.2.2: the range is inside the buffer, there is host memory for it, and the flags let the host read or write it.
void transfer(bool to_device, cl_command_queue queue_handle, cl_mem buffer_handle, cl_bool blocking,
              size_t offset, size_t size, void* host, cl_uint wait_count, const cl_event* waits,
              cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Buffer& buffer = buffer_of(queue, buffer_handle);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  require_inside(buffer, offset, size);
  require(host, CL_INVALID_VALUE, "no host pointer");
  require(!(buffer.flags() & (to_device ? kNoHostWrite : kNoHostRead)), CL_INVALID_OPERATION,
          "the buffer's flags forbid it");
  enqueue_transfer(queue, to_device ? CL_COMMAND_WRITE_BUFFER : CL_COMMAND_READ_BUFFER, buffer,
                   plain_transfer(to_device, offset, size, host), blocking, std::move(list), event);
}

Buffer& buffer_or_pipe_of(const CommandQueue& queue, cl_mem handle) {
  Buffer& buffer = object_of<Buffer>(handle);
  require(&buffer.context() == &queue.context(), CL_INVALID_CONTEXT,
          "the memory object belongs to another context");
  return buffer;
}

}  // namespace

void enqueue_transfer(CommandQueue& queue, cl_command_type type, Buffer& buffer, HostTransfer transfer,
                      cl_bool blocking, WaitList waits, cl_event* event) {
  transfer.memory = host_memory_of(queue.resources(), transfer);
  if (!event && waits.empty() && transfer_directly(queue, type, buffer, transfer, blocking)) return;
  enqueue(queue, new Transfer(queue, type, buffer, transfer), std::move(waits), event, blocking);
}

void enqueue_copy(CommandQueue& queue, cl_command_type type, Buffer& from, Buffer& to, const BufferCopy& copy,
                  WaitList waits, cl_event* event) {
  if (!event && waits.empty()) {
    auto uses = copy.uses(from, to);
    const CommandDetails details{.type = type, .bytes = volume(copy.region)};
    if (queue.record_directly(details, uses, [&](cuda::Stream& stream) { copy.emit(stream, uses); })) return;
  }
  enqueue(queue, new CopyBuffer(queue, type, from, to, copy), std::move(waits), event);
}

}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, void* host, cl_uint wait_count, const cl_event* waits,
                                       cl_event* event) {
  return enqueued(
      queue, [&] { transfer(false, queue, buffer, blocking, offset, size, host, wait_count, waits, event); });
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                        size_t offset, size_t size, const void* host, cl_uint wait_count,
                                        const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    transfer(true, queue, buffer, blocking, offset, size, const_cast<void*>(host), wait_count, waits, event);
  });
}

// Section 5.2.2: both ranges are inside their buffers, and do not overlap.
cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue_handle, cl_mem from_handle, cl_mem to_handle,
                                       size_t from_offset, size_t to_offset, size_t size, cl_uint wait_count,
                                       const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    Buffer& from = buffer_of(queue, from_handle);
    Buffer& to = buffer_of(queue, to_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require_inside(from, from_offset, size);
    require_inside(to, to_offset, size);
    require_mutable(to);
    if (from.shares_storage_with(to)) {
      const size_t a = from.origin() + from_offset, b = to.origin() + to_offset;
      require(size == 0 || a + size <= b || b + size <= a, CL_MEM_COPY_OVERLAP,
              "source and destination overlap");
    }
    enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, from, to,
                 {.from = {.device = from_offset}, .to = {.device = to_offset}, .region = {size, 1, 1}},
                 std::move(list), event);
  });
}

// Section 5.2.3: the region consists of whole patterns.
cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue_handle, cl_mem buffer_handle,
                                       const void* pattern, size_t pattern_size, size_t offset, size_t size,
                                       cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    Buffer& buffer = buffer_of(queue, buffer_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require_inside(buffer, offset, size);
    require_pattern(pattern, pattern_size);
    require_mutable(buffer);
    require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE,
            "offset and size must be multiples of the pattern's");
    if (!event && list.empty() && fill_directly(queue, buffer, pattern, pattern_size, offset, size)) return;
    enqueue(queue, new FillBuffer(queue, CL_COMMAND_FILL_BUFFER, buffer, pattern, pattern_size, offset, size),
            std::move(list), event);
  });
}

// Section 5.5.5: memory objects of the queue's context, at least one.
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue_handle, cl_uint count,
                                              const cl_mem* memories, cl_mem_migration_flags flags,
                                              cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    require(count > 0 && memories, CL_INVALID_VALUE, "no memory objects");
    std::vector<Ref<Buffer>> buffers;
    std::vector<Ref<Image>> images;
    for (cl_uint i = 0; i < count; ++i) {
      if (find_object(memories[i], ObjectType::image))
        images.emplace_back(image_of(queue, memories[i]));
      else
        buffers.emplace_back(buffer_or_pipe_of(queue, memories[i]));
    }
    require_migration_flags(flags);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue(queue, new MigrateBuffers(queue, std::move(buffers), std::move(images), flags), std::move(list),
            event);
  });
}

// Section 5.2.4: the region is not empty, and the buffer's flags allow the requested access by the host.
void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue_handle, cl_mem buffer_handle, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                     const cl_event* waits, cl_event* event, cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, telling(queue_handle, [&]() -> void* {
        CommandQueue& queue = object_of<CommandQueue>(queue_handle);
        Buffer& buffer = buffer_of(queue, buffer_handle);
        WaitList list = wait_list(queue.context(), wait_count, waits);
        require_inside(buffer, offset, size);
        require(size > 0, CL_INVALID_VALUE, "nothing to map");
        require_map_flags(flags);
        require(!(flags & CL_MAP_READ) || !(buffer.flags() & kNoHostRead), CL_INVALID_OPERATION,
                "the buffer's flags forbid reading");
        require(!(flags & kMapWrites) || !(buffer.flags() & kNoHostWrite), CL_INVALID_OPERATION,
                "the buffer's flags forbid writing");
        const Mapping mapping = buffer.map(queue.resources(), offset, size, flags);
        // Contents that will be overwritten need not be fetched, and the host accesses shared memory directly.
        const bool needs_none =
            flags & CL_MAP_WRITE_INVALIDATE_REGION || buffer.is_shared() || buffer.host_has_contents();
        const size_t fetched = needs_none ? 0 : size;
        try {
          enqueue(queue,
                  new Transfer(queue, CL_COMMAND_MAP_BUFFER, buffer,
                               plain_transfer(false, offset, fetched, mapping.host), mapping.block),
                  std::move(list), event, blocking);
        } catch (...) {
          buffer.forget(mapping);
          throw;
        }
        return mapping.host;
      }));
}

// Section 5.5.3: the pointer was returned by a map of this object, and has not been unmapped since (Buffer::unmap, Image::unmap).
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue_handle, cl_mem memory, void* mapped,
                                           cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    if (find_object(memory, ObjectType::image)) {
      Image& image = image_of(queue, memory);
      return unmap_image(queue, image, mapped, wait_list(queue.context(), wait_count, waits), event);
    }
    Buffer& buffer = buffer_of(queue, memory);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    buffer.unmap(mapped, [&](const Mapping& mapping) {
      const size_t sent = mapping.writes && !buffer.is_shared() ? mapping.size : 0;
      enqueue(queue,
              new Transfer(queue, CL_COMMAND_UNMAP_MEM_OBJECT, buffer,
                           plain_transfer(true, mapping.offset, sent, mapping.host), mapping.block),
              std::move(list), event);
    });
  });
}
