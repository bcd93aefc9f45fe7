// SPDX-License-Identifier: Apache-2.0
// Commands of cl_intel_unified_shared_memory.
#include <CL/cl_ext.h>

#include "api/enqueue_memory.h"
#include "runtime/commands/move_svm.h"
#include "runtime/memory/svm.h"

namespace clcuda::api {
namespace {

// The part of an allocation that is to be moved. Empty if the memory does not move: migration is a hint.
std::vector<MoveSvm::Part> part_to_move(Context& context, const void* begin, size_t size) {
  require(begin, CL_INVALID_VALUE, "a null pointer");
  Ref<SvmAllocation> allocation = context.svm().find(begin);
  if (!allocation) return {};
  require(allocation->contains(begin, size), CL_INVALID_VALUE, "beyond the end of the allocation");
  if (!allocation->moves() || size == 0) return {};
  const size_t offset = allocation->offset_of(begin);
  return {{std::move(allocation), {offset, offset + size}}};
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue queue_handle, void* to, const void* pattern,
                                         size_t pattern_size, size_t size, cl_uint wait_count,
                                         const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue_memory_fill(queue, CL_COMMAND_MEMFILL_INTEL, to, pattern, pattern_size, size, std::move(list),
                        event);
  });
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue queue_handle, cl_bool blocking, void* to,
                                        const void* from, size_t size, cl_uint wait_count,
                                        const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue_memory_copy(queue, CL_COMMAND_MEMCPY_INTEL, to, from, size, blocking, std::move(list), event);
  });
}

// Since version 1.1, a flag is required: the host as target, or undefined contents.
cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue queue_handle, const void* begin, size_t size,
                                            cl_mem_migration_flags flags, cl_uint wait_count,
                                            const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(flags != 0, CL_INVALID_VALUE, "no migration flag");
    require_migration_flags(flags);
    enqueue(queue,
            new MoveSvm(queue, CL_COMMAND_MIGRATEMEM_INTEL, part_to_move(queue.context(), begin, size),
                        (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0),
            std::move(list), event);
  });
}

// No advice is defined so far, so `advice` must be 0.
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue queue_handle, const void* begin, size_t size,
                                           cl_mem_advice_intel advice, cl_uint wait_count,
                                           const cl_event* waits, cl_event* event) {
  return enqueued<Shortage::of_resources>(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(advice == 0, CL_INVALID_VALUE, "an unknown advice");
    part_to_move(queue.context(), begin, size);
    enqueue(queue, new Command(queue, CL_COMMAND_MEMADVISE_INTEL), std::move(list), event);
  });
}
