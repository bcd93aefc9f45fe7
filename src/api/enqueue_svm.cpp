// SPDX-License-Identifier: Apache-2.0
// Commands on shared virtual memory (section 5.6). What is in none of the context's allocations is memory of the host.
#include <cstring>

#include "api/enqueue.h"
#include "runtime/commands/copy_buffer.h"
#include "runtime/commands/fill_buffer.h"
#include "runtime/commands/host_function.h"
#include "runtime/commands/move_svm.h"
#include "runtime/commands/transfer.h"
#include "runtime/memory/svm.h"
#include "runtime/platform/application_call.h"

namespace clcuda::api {
namespace {

// A stretch of shared virtual memory as a buffer, or nothing for memory of the host.
Ref<Buffer> buffer_at(Context& context, const void* begin, size_t size) {
  const Ref<SvmAllocation> allocation = context.svm().find(begin);
  if (!allocation) return {};
  require(allocation->contains(begin, size), CL_INVALID_VALUE, "beyond the end of the allocation");
  return Ref<Buffer>::adopt(
      new Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, const_cast<void*>(begin), {}));
}

Command* make_transfer(CommandQueue& queue, bool to_device, Buffer& buffer, void* host, size_t size) {
  HostTransfer transfer{.to_device = to_device, .region = {size, 1, 1}};
  transfer.host.host = host;
  return new Transfer(queue, CL_COMMAND_SVM_MEMCPY, buffer, transfer);
}

Command* make_copy(CommandQueue& queue, void* to, const void* from, size_t size) {
  if (size == 0) return new Command(queue, CL_COMMAND_SVM_MEMCPY);
  const Ref<Buffer> target = buffer_at(queue.context(), to, size);
  const Ref<Buffer> source = buffer_at(queue.context(), from, size);
  if (target && source)
    return new CopyBuffer(queue, CL_COMMAND_SVM_MEMCPY, *source, *target,
                          {.from = {}, .to = {}, .region = {size, 1, 1}});
  if (target) return make_transfer(queue, true, *target, const_cast<void*>(from), size);
  if (source) return make_transfer(queue, false, *source, to, size);
  return new HostFunction(queue, CL_COMMAND_SVM_MEMCPY, [=] { std::memcpy(to, from, size); });
}

Command* make_fill(CommandQueue& queue, void* to, const void* pattern, size_t pattern_size, size_t size) {
  if (size == 0) return new Command(queue, CL_COMMAND_SVM_MEMFILL);
  if (const Ref<Buffer> target = buffer_at(queue.context(), to, size))
    return new FillBuffer(queue, CL_COMMAND_SVM_MEMFILL, *target, pattern, pattern_size, 0, size);
  const auto* first = static_cast<const std::byte*>(pattern);
  return new HostFunction(
      queue, CL_COMMAND_SVM_MEMFILL,
      [to = static_cast<std::byte*>(to), size, bytes = std::vector<std::byte>(first, first + pattern_size)] {
        for (size_t at = 0; at < size; at += bytes.size()) std::memcpy(to + at, bytes.data(), bytes.size());
      });
}

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);

Command* make_free(CommandQueue& queue, std::vector<void*> pointers, FreeFunction function, void* user) {
  if (function)
    return new HostFunction(
        queue, CL_COMMAND_SVM_FREE,
        [handle = handle_of(queue), pointers = std::move(pointers), function, user]() mutable {
          const auto call = [&] {
            function(handle, static_cast<cl_uint>(pointers.size()), pointers.data(), user);
          };
          if (!call_application(call))
            throw Error(CL_OUT_OF_RESOURCES, "a function to free memory was not called, as the process ends");
        });
  return new HostFunction(queue, CL_COMMAND_SVM_FREE,
                          [context = Ref<Context>(queue.context()), pointers = std::move(pointers)] {
                            for (void* pointer : pointers) context->svm().free(pointer);
                          });
}

std::vector<MoveSvm::Part> parts_to_migrate(Context& context, cl_uint count, const void** pointers,
                                            const size_t* sizes) {
  std::vector<MoveSvm::Part> parts;
  for (cl_uint i = 0; i < count; ++i) {
    Ref<SvmAllocation> allocation = context.svm().find(pointers[i]);
    require(static_cast<bool>(allocation), CL_INVALID_VALUE, "a pointer that is in no allocation");
    ByteRange range{0, allocation->size()};
    if (sizes && sizes[i]) {
      require(allocation->contains(pointers[i], sizes[i]), CL_INVALID_VALUE,
              "beyond the end of an allocation");
      range.begin = allocation->offset_of(pointers[i]);
      range.end = range.begin + sizes[i];
    }
    if (allocation->moves()) parts.push_back({std::move(allocation), range});
  }
  return parts;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue_handle, cl_uint count, void* pointers[],
                                    void(CL_CALLBACK* function)(cl_command_queue, cl_uint, void*[], void*),
                                    void* user, cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    require((count > 0) == (pointers != nullptr), CL_INVALID_VALUE,
            "pointers without a count, or a count without pointers");
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue(queue, make_free(queue, std::vector<void*>(pointers, pointers + count), function, user),
            std::move(list), event);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue_handle, cl_bool blocking, void* to,
                                      const void* from, size_t size, cl_uint wait_count,
                                      const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(to && from, CL_INVALID_VALUE, "a null pointer");
    const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
    require((target < source ? source - target : target - source) >= size, CL_MEM_COPY_OVERLAP,
            "source and destination overlap");
    enqueue(queue, make_copy(queue, to, from, size), std::move(list), event, blocking);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue_handle, void* to, const void* pattern,
                                       size_t pattern_size, size_t size, cl_uint wait_count,
                                       const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(to, CL_INVALID_VALUE, "svm_ptr is null");
    require_pattern(pattern, pattern_size);
    require(reinterpret_cast<std::uintptr_t>(to) % pattern_size == 0, CL_INVALID_VALUE,
            "svm_ptr is not aligned to the pattern");
    require(size % pattern_size == 0, CL_INVALID_VALUE, "the size is not a multiple of the pattern's");
    enqueue(queue, make_fill(queue, to, pattern, pattern_size, size), std::move(list), event);
  });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue_handle, cl_bool blocking, cl_map_flags flags,
                                   void* begin, size_t size, cl_uint wait_count, const cl_event* waits,
                                   cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(begin, CL_INVALID_VALUE, "svm_ptr is null");
    require(size > 0, CL_INVALID_VALUE, "nothing to map");
    require_map_flags(flags);
    const Ref<SvmAllocation> allocation = queue.context().svm().find(begin);
    require(!allocation || allocation->contains(begin, size), CL_INVALID_VALUE,
            "beyond the end of the allocation");
    std::vector<MoveSvm::Part> parts;
    std::optional<ByteRange> mapped;
    if (allocation && allocation->moves_when_mapped()) {
      const size_t offset = allocation->offset_of(begin);
      const ByteRange range{offset, offset + size};
      // What is to be overwritten need not be fetched.
      if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION)) parts.push_back({allocation, range});
      mapped = range;
    }
    if (mapped) allocation->begin_mapping(*mapped);
    try {
      enqueue(queue, new MoveSvm(queue, CL_COMMAND_SVM_MAP, std::move(parts), true), std::move(list), event,
              blocking);
    } catch (...) {
      if (mapped) allocation->end_mapping(mapped->begin);
      throw;
    }
  });
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue_handle, void* begin, cl_uint wait_count,
                                     const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(begin, CL_INVALID_VALUE, "svm_ptr is null");
    const Ref<SvmAllocation> allocation = queue.context().svm().find(begin);
    SvmAllocation::Mapped mapped;
    if (allocation) mapped = allocation->end_mapping(allocation->offset_of(begin));
    try {
      std::vector<MoveSvm::Part> parts;
      if (mapped) parts.push_back({allocation, {mapped.key(), mapped.mapped()}});
      enqueue(queue, new MoveSvm(queue, CL_COMMAND_SVM_UNMAP, std::move(parts), false), std::move(list),
              event);
    } catch (...) {
      if (mapped) allocation->restore_mapping(std::move(mapped));
      throw;
    }
  });
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue_handle, cl_uint count, const void** pointers,
                                          const size_t* sizes, cl_mem_migration_flags flags,
                                          cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(count > 0 && pointers, CL_INVALID_VALUE, "no pointers");
    require_migration_flags(flags);
    enqueue(queue,
            new MoveSvm(queue, CL_COMMAND_SVM_MIGRATE_MEM,
                        parts_to_migrate(queue.context(), count, pointers, sizes),
                        (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0),
            std::move(list), event);
  });
}
