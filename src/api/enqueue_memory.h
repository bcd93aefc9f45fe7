// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/enqueue.h"

// Enqueue copies and fills of memory that is given by pointers, for section 5.6 (SVM) and cl_intel_unified_shared_memory. A pointer may
// point into any allocation of the queue's context; all other memory is host memory, or known to the driver. Sizes are in bytes.
namespace clcuda::api {

// Throws CL_INVALID_VALUE (null; beyond the end of an allocation), CL_MEM_COPY_OVERLAP.
void enqueue_memory_copy(CommandQueue& queue, cl_command_type type, void* to, const void* from, size_t size,
                         cl_bool blocking, WaitList waits, cl_event* event);

// Throws CL_INVALID_VALUE (null; an invalid pattern size; an address or a size that is no multiple of it; memory that the queue's device
// cannot access).
void enqueue_memory_fill(CommandQueue& queue, cl_command_type type, void* to, const void* pattern,
                         size_t pattern_size, size_t size, WaitList waits, cl_event* event);

}  // namespace clcuda::api
