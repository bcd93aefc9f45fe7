// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/enqueue.h"

// What the copies and fills of section 5.6 and of cl_intel_unified_shared_memory share. Memory is known by
// pointers: into the allocations of the queue's context, of whatever kind, or anywhere else; that is memory
// of the host, or what the driver knows.
namespace clcuda::api {

// Throws CL_INVALID_VALUE (null; beyond the end of an allocation), CL_MEM_COPY_OVERLAP.
void enqueue_memory_copy(CommandQueue& queue, cl_command_type type, void* to, const void* from, size_t size,
                         cl_bool blocking, WaitList waits, cl_event* event);

// Throws CL_INVALID_VALUE (null; no pattern; not aligned to it; no multiple of its size; memory that the
// queue's device does not reach).
void enqueue_memory_fill(CommandQueue& queue, cl_command_type type, void* to, const void* pattern,
                         size_t pattern_size, size_t size, WaitList waits, cl_event* event);

}  // namespace clcuda::api
