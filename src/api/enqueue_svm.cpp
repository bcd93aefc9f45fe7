// SPDX-License-Identifier: Apache-2.0
// Commands on shared virtual memory (section 5.6). Memory in none of the context's allocations is host memory.
#include "api/enqueue_memory.h"
#include "runtime/commands/host_function.h"
#include "runtime/commands/move_svm.h"
#include "runtime/memory/svm.h"
#include "runtime/platform/application_call.h"

namespace clcuda::api {
namespace {

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);

Command* make_free(CommandQueue& queue, std::vector<void*> pointers, FreeFunction function, void* user) {
  if (function)
    return new HostFunction(
        queue, {.type = CL_COMMAND_SVM_FREE},
        [handle = handle_of(queue), pointers = std::move(pointers), function, user]() mutable {
          const auto call = [&] {
            function(handle, static_cast<cl_uint>(pointers.size()), pointers.data(), user);
          };
          if (!call_application(call))
            throw Error(CL_OUT_OF_RESOURCES, "a function to free memory was not called, as the process ends");
        });
  return new HostFunction(queue, {.type = CL_COMMAND_SVM_FREE},
                          [context = Ref<Context>(queue.context()), pointers = std::move(pointers)] {
                            for (void* pointer : pointers) context->svm().free(pointer, SvmSpace::Name::svm);
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
    enqueue_memory_copy(queue, CL_COMMAND_SVM_MEMCPY, to, from, size, blocking, std::move(list), event);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue_handle, void* to, const void* pattern,
                                       size_t pattern_size, size_t size, cl_uint wait_count,
                                       const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue_memory_fill(queue, CL_COMMAND_SVM_MEMFILL, to, pattern, pattern_size, size, std::move(list),
                        event);
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
      // Contents that will be overwritten need not be fetched.
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
