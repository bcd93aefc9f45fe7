// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/buffer.h"

#include <CL/cl_clcuda.h>

#include <algorithm>
#include <optional>

#include "api/entry_point.h"
#include "api/known_values.h"
#include "api/memory_flags.h"
#include "api/reporting.h"
#include "runtime/extension_definitions.h"

namespace clcuda::api {
namespace {

constexpr size_t kAlignment = sizeof(cl_long16);  // CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes, on every device

// A parsed list of properties.
struct Properties {
  std::vector<cl_mem_properties> list;  // as it was given, with its terminator
  std::optional<bool> wants_addresses;  // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  std::optional<CUdeviceptr> cuda_pointer;
};

// Section 5.2.1: known properties, each once, with values that they can have.
Properties parse(const cl_mem_properties* list) {
  Properties properties;
  for (const cl_mem_properties* entry = list; entry && *entry; entry += 2) {
    if (entry[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && !properties.wants_addresses) {
      require(entry[1] == CL_TRUE || entry[1] == CL_FALSE, CL_INVALID_PROPERTY,
              "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is not a cl_bool");
      properties.wants_addresses = entry[1] == CL_TRUE;
    } else if (entry[0] == CL_MEM_CUDA_POINTER_CLCUDA && !properties.cuda_pointer) {
      properties.cuda_pointer = entry[1];
    } else {
      throw unknown_property(CL_INVALID_PROPERTY, "an unknown or repeated buffer property", entry[0]);
    }
    properties.list.insert(properties.list.end(), entry, entry + 2);
  }
  if (list) properties.list.push_back(0);
  return properties;
}

Buffer* make_buffer(Context& context, cl_mem_flags flags, size_t size, void* host_ptr,
                    Properties properties) {
  if (!properties.cuda_pointer) return new Buffer(context, flags, size, host_ptr, std::move(properties.list));
  const ApplicationMemory memory = application_memory_at(context, *properties.cuda_pointer);
  require(size <= memory.size, CL_INVALID_BUFFER_SIZE, "larger than the memory that it names");
  return new Buffer(context, flags, size, memory, std::move(properties.list));
}

// Section 5.2.1: the flags fit together, a host pointer is given if and only if a flag uses it, and at least one device of the context
// has that much memory.
cl_mem create_buffer(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                     void* host_ptr) {
  Context& context = object_of<Context>(handle);
  Properties wanted = parse(properties);
  check_object_flags(flags);
  require(!wanted.cuda_pointer || !(flags & kPointerFlags), CL_INVALID_VALUE,
          "a host pointer flag of a buffer in device memory");
  require((host_ptr != nullptr) == ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0),
          CL_INVALID_HOST_PTR, "a host pointer without a flag that uses it, or the flag without a pointer");
  require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
  const auto fits = [size](Device* device) { return size <= device->memory_size(); };
  require(std::ranges::any_of(context.devices(), fits), CL_INVALID_BUFFER_SIZE,
          "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  const Ref<SvmAllocation> shared = shared_memory_at(context, host_ptr);
  require(!shared || shared->contains(host_ptr, size), CL_INVALID_BUFFER_SIZE,
          "larger than the shared virtual memory that it names");
  if (!(flags & (kDeviceFlags | CL_MEM_IMMUTABLE_EXT))) flags |= CL_MEM_READ_WRITE;
  return reporting(context, [&] {
    const bool wants_addresses = wanted.wants_addresses.value_or(false);
    const auto made = Ref<Buffer>::adopt(make_buffer(context, flags, size, host_ptr, std::move(wanted)));
    if (wants_addresses) made->fix_addresses();
    made->retain_api();
    return handle_of(*made);
  });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return create_buffer(context, properties, flags, size, host_ptr); });
}

// cl_intel_create_buffer_with_properties has no error code of its own for properties.
cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(cl_context context,
                                                     const cl_mem_properties_intel* properties,
                                                     cl_mem_flags flags, size_t size, void* host_ptr,
                                                     cl_int* error) {
  return created<Shortage::of_memory_objects>(error, context, [&] {
    try {
      return create_buffer(context, properties, flags, size, host_ptr);
    } catch (const Error& refused) {
      if (refused.code() != CL_INVALID_PROPERTY) throw;
      throw Error(CL_INVALID_VALUE, refused.what());
    }
  });
}

// Section 5.2.1: the parent is no sub-buffer; the region is not empty, inside the parent, and aligned for the devices; the flags give no
// more access than the parent's.
cl_mem CL_API_CALL clCreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* error) {
  return created<Shortage::of_memory_objects>(error, handle, [&] {
    Buffer& parent = object_of<Buffer>(handle);
    require(!parent.parent() && !parent.pipe(), CL_INVALID_MEM_OBJECT,
            "a sub-buffer of a sub-buffer or a pipe");
    const cl_mem_flags inherited = inherited_flags(parent.flags(), flags);
    require(type == CL_BUFFER_CREATE_TYPE_REGION && info, CL_INVALID_VALUE, "not a region");
    const auto& region = *static_cast<const cl_buffer_region*>(info);
    require(region.size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
    require(region.origin <= parent.size() && region.size <= parent.size() - region.origin, CL_INVALID_VALUE,
            "the region ends beyond the buffer");
    require(region.origin % kAlignment == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
            "the origin is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN");
    return handle_of(*new Buffer(parent, inherited, region.origin, region.size));
  });
}
