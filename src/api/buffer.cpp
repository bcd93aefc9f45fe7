// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/buffer.h"

#include <algorithm>

#include "api/entry_point.h"
#include "api/memory_flags.h"
#include "api/reporting.h"
#include "runtime/extension_definitions.h"

namespace clcuda::api {
namespace {

constexpr size_t kAlignment = sizeof(cl_long16);  // CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes, on every device

// Section 5.2.1: known properties, each once, with values that they can have. Answers whether the application wants to know the buffer's
// addresses, the only one that there is.
bool check_properties(const cl_mem_properties* properties, std::vector<cl_mem_properties>& list) {
  bool wants_addresses = false;
  for (; properties && *properties; properties += 2) {
    require(properties[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_INVALID_PROPERTY,
            "an unknown buffer property");
    require(list.empty(), CL_INVALID_PROPERTY, "a property that is there twice");
    require(properties[1] == CL_TRUE || properties[1] == CL_FALSE, CL_INVALID_PROPERTY,
            "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is not a cl_bool");
    wants_addresses = properties[1] == CL_TRUE;
    list.insert(list.end(), properties, properties + 2);
  }
  if (properties) list.push_back(0);
  return wants_addresses;
}

cl_mem make_buffer(Context& context, cl_mem_flags flags, size_t size, void* host_ptr,
                   std::vector<cl_mem_properties> properties, bool wants_addresses) {
  const auto made = Ref<Buffer>::adopt(new Buffer(context, flags, size, host_ptr, std::move(properties)));
  if (wants_addresses) made->fix_addresses();
  made->retain_api();
  return handle_of(*made);
}

// Section 5.2.1: the flags fit together, a host pointer is there if and only if a flag uses it, and some device of the context can
// have as much.
cl_mem create_buffer(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                     void* host_ptr) {
  Context& context = object_of<Context>(handle);
  std::vector<cl_mem_properties> list;
  const bool wants_addresses = check_properties(properties, list);
  check_object_flags(flags);
  require((host_ptr != nullptr) == ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0),
          CL_INVALID_HOST_PTR, "a host pointer without a flag that uses it, or the flag without a pointer");
  require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
  const auto fits = [size](Device* device) { return size <= device->memory_size(); };
  require(std::ranges::any_of(context.devices(), fits), CL_INVALID_BUFFER_SIZE,
          "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  if (flags & CL_MEM_USE_HOST_PTR) {
    const Ref<SvmAllocation> shared = context.svm().find(host_ptr);
    require(!shared || shared->contains(host_ptr, size), CL_INVALID_BUFFER_SIZE,
            "larger than the shared virtual memory that it names");
    require(!shared || shared->kind() != PointerMemory::device, CL_INVALID_HOST_PTR,
            "memory of a device, which the host does not reach");
  }
  if (!(flags & (kDeviceFlags | CL_MEM_IMMUTABLE_EXT))) flags |= CL_MEM_READ_WRITE;
  return reporting(
      context, [&] { return make_buffer(context, flags, size, host_ptr, std::move(list), wants_addresses); });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, [&] { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, [&] { return create_buffer(context, properties, flags, size, host_ptr); });
}

// cl_intel_create_buffer_with_properties knows no error of properties' own.
cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(cl_context context,
                                                     const cl_mem_properties_intel* properties,
                                                     cl_mem_flags flags, size_t size, void* host_ptr,
                                                     cl_int* error) {
  return created<Shortage::of_memory_objects>(error, [&] {
    try {
      return create_buffer(context, properties, flags, size, host_ptr);
    } catch (const Error& refused) {
      if (refused.code() != CL_INVALID_PROPERTY) throw;
      throw Error(CL_INVALID_VALUE, refused.what());
    }
  });
}

// Section 5.2.1: a region of a whole buffer, not empty, within it, aligned for the devices, and with no more access than the buffer has.
cl_mem CL_API_CALL clCreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* error) {
  return created<Shortage::of_memory_objects>(error, [&] {
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
