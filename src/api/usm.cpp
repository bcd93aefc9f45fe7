// SPDX-License-Identifier: Apache-2.0
// cl_intel_unified_shared_memory: allocations, queries of them, and kernel arguments. Its commands are in enqueue_usm.cpp.
#include <CL/cl_ext.h>

#include <algorithm>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"
#include "runtime/memory/svm.h"
#include "runtime/platform/context.h"
#include "runtime/platform/device.h"
#include "runtime/program/kernel.h"

namespace clcuda::api {
namespace {

constexpr cl_mem_alloc_flags_intel kPlacements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

// The flags among the properties. Properties and flags must be known, and properties given once. An initial placement is for shared memory
// only, and there is at most one.
cl_mem_alloc_flags_intel flags_of(const cl_mem_properties_intel* properties, PointerMemory kind) {
  cl_mem_alloc_flags_intel flags = 0;
  bool seen = false;
  for (; properties && *properties; properties += 2) {
    require(properties[0] == CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY, "an unknown property");
    require(!seen, CL_INVALID_PROPERTY, "a property that is there twice");
    flags = properties[1];
    seen = true;
  }
  require_flags(flags, CL_MEM_ALLOC_WRITE_COMBINED_INTEL | kPlacements, CL_INVALID_PROPERTY,
                "an unknown flag of an allocation");
  const cl_mem_alloc_flags_intel placement = flags & kPlacements;
  require(kind == PointerMemory::shared || placement == 0, CL_INVALID_PROPERTY,
          "a place for the first access, of memory that does not move");
  require(placement != kPlacements, CL_INVALID_PROPERTY, "two places for the first access");
  return flags;
}

// The device of the handle, which must be one of the context's.
Device* device_in(const Context& context, cl_device_id handle) {
  Device& device = object_of<Device>(handle);
  require(context.has(device), CL_INVALID_DEVICE, "not a device of the context");
  return &device;
}

// Each device has all kinds of memory, and the same largest type. The size is at most the memory of the device that it is for; if none is
// named, at most that of every device of the context.
void* allocate(Context& context, PointerMemory kind, Device* device,
               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment) {
  require(is_alignment(alignment), CL_INVALID_VALUE, "an alignment is a power of two up to 64 KiB");
  const cl_mem_alloc_flags_intel flags = flags_of(properties, kind);
  const auto fits = [&](const Device* other) {
    return (device && other != device) || size <= other->memory_size();
  };
  require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
  require(std::ranges::all_of(context.devices(), fits), CL_INVALID_BUFFER_SIZE,
          "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  Device& owner = device ? *device : *context.devices().front();
  try {
    return context.svm().allocate(owner, {.kind = kind,
                                          .size = size,
                                          .alignment = alignment,
                                          .flags = flags,
                                          .device = device,
                                          .for_peers = context.devices().size() > 1});
  } catch (const std::exception& error) {
    context.notify(error.what());
    throw;
  }
}

cl_unified_shared_memory_type_intel type_of(PointerMemory kind) {
  switch (kind) {
    case PointerMemory::host:
      return CL_MEM_TYPE_HOST_INTEL;
    case PointerMemory::device:
      return CL_MEM_TYPE_DEVICE_INTEL;
    case PointerMemory::shared:
      return CL_MEM_TYPE_SHARED_INTEL;
    case PointerMemory::svm:
      break;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

void* CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                      size_t size, cl_uint alignment, cl_int* error) {
  return created(error, context, [&] {
    return allocate(object_of<Context>(context), PointerMemory::host, nullptr, properties, size, alignment);
  });
}

void* CL_API_CALL clDeviceMemAllocINTEL(cl_context handle, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* error) {
  return created(error, handle, [&] {
    Context& context = object_of<Context>(handle);
    return allocate(context, PointerMemory::device, device_in(context, device), properties, size, alignment);
  });
}

void* CL_API_CALL clSharedMemAllocINTEL(cl_context handle, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* error) {
  return created(error, handle, [&] {
    Context& context = object_of<Context>(handle);
    return allocate(context, PointerMemory::shared, device ? device_in(context, device) : nullptr, properties,
                    size, alignment);
  });
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context handle, void* pointer) {
  return guarded(handle, [&] {
    Context& context = object_of<Context>(handle);
    require(!pointer || context.svm().free(pointer, SvmSpace::Name::usm), CL_INVALID_VALUE,
            "not what the context has allocated");
  });
}

cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context handle, void* pointer) {
  return guarded(handle, [&] {
    const Ref<Context> context(object_of<Context>(handle));
    require(!pointer || context->svm().free_when_unused(pointer), CL_INVALID_VALUE,
            "not what the context has allocated");
  });
}

// For a pointer to other memory, the type is CL_MEM_TYPE_UNKNOWN_INTEL, and all other values are 0.
cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* pointer, cl_mem_info_intel name,
                                          size_t size, void* value, size_t* size_ret) {
  return guarded(context, [&] {
    InfoWriter out(name, size, value, size_ret);
    Ref<SvmAllocation> found = object_of<Context>(context).svm().find(pointer);
    if (found && found->kind() == PointerMemory::svm) found = {};
    switch (name) {
      case CL_MEM_ALLOC_TYPE_INTEL:
        return out.write<cl_unified_shared_memory_type_intel>(
            type_of(found ? found->kind() : PointerMemory::svm));
      case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return out.write<void*>(found ? found->data() : nullptr);
      case CL_MEM_ALLOC_SIZE_INTEL:
        return out.write<size_t>(found ? found->size() : 0);
      case CL_MEM_ALLOC_DEVICE_INTEL:
        return out.write<cl_device_id>(found && found->device() ? handle_of(*found->device()) : nullptr);
      case CL_MEM_ALLOC_FLAGS_INTEL:
        return out.write<cl_mem_alloc_flags_intel>(found ? found->flags() : 0);
      default:
        return out.unknown();
    }
  });
}

// Since version 1.1, any pointer is accepted.
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void* pointer) {
  return guarded_briefly(kernel, [&] { object_of<Kernel>(kernel).set_pointer(index, pointer); });
}
