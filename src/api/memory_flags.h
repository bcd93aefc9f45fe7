// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/entry_point.h"
#include "runtime/extension_definitions.h"
#include "runtime/memory/svm.h"

namespace clcuda {
class Context;
}

// The flags and host pointers of memory objects, which buffers and images share (section 5.2.1).
namespace clcuda::api {

constexpr cl_mem_flags kDeviceFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostFlags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kPointerFlags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags kNoHostRead = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kNoHostWrite = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT;
// The flags that an application may use for an object with memory of its own.
constexpr cl_mem_flags kObjectFlags = kDeviceFlags | kHostFlags | kPointerFlags | CL_MEM_IMMUTABLE_EXT;

// Throws CL_INVALID_VALUE for flags that are not `allowed`, or exclude each other.
void check_flags(cl_mem_flags flags, cl_mem_flags allowed);
// The same for an object that has memory of its own; an immutable one must get its contents from the host.
void check_object_flags(cl_mem_flags flags);
// The flags of an object that is created from another one (a sub-buffer, an image from a buffer): `flags`, and those of the parent for
// groups of which `flags` has none. Throws CL_INVALID_VALUE for access that the parent does not allow.
cl_mem_flags inherited_flags(cl_mem_flags of_parent, cl_mem_flags flags);

// The shared virtual memory that a host pointer is in; empty for other memory, and for null. Throws CL_INVALID_HOST_PTR for a pointer of
// clDeviceMemAllocINTEL: such memory cannot be read as the contents of an object, because the host does not reach it.
Ref<SvmAllocation> shared_memory_at(Context& context, const void* host_ptr);

}  // namespace clcuda::api
