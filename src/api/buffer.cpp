// SPDX-License-Identifier: Apache-2.0
#include "runtime/buffer.h"

#include <algorithm>

#include "api/entry_point.h"
#include "api/info_writer.h"

namespace clcuda::api {
namespace {

constexpr cl_mem_flags kDeviceFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostFlags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kPointerFlags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr size_t kAlignment = sizeof(cl_long16);  // CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes, on every device

bool at_most_one(cl_mem_flags flags) { return (flags & (flags - 1)) == 0; }

// Section 5.2.1, the flags that exclude each other.
void check_flags(cl_mem_flags flags, cl_mem_flags allowed) {
  require((flags & ~allowed) == 0, CL_INVALID_VALUE, "an unknown memory flag");
  require(at_most_one(flags & kDeviceFlags), CL_INVALID_VALUE,
          "more than one of READ_WRITE, READ_ONLY, WRITE_ONLY");
  require(at_most_one(flags & kHostFlags), CL_INVALID_VALUE, "more than one CL_MEM_HOST_… flag");
  require(!(flags & CL_MEM_USE_HOST_PTR) || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
          CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR excludes the other pointer flags");
}

cl_mem create_buffer(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                     void* host_ptr) {
  Context& context = object_of<Context>(handle);
  std::vector<cl_mem_properties> list;
  // OpenCL 3.0 defines no property: only an empty list is right.
  require(!properties || *properties == 0, CL_INVALID_PROPERTY, "an unknown buffer property");
  if (properties) list.push_back(0);
  check_flags(flags, kDeviceFlags | kHostFlags | kPointerFlags);
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
  }
  if (!(flags & kDeviceFlags)) flags |= CL_MEM_READ_WRITE;
  try {
    return handle_of(*new Buffer(context, flags, size, host_ptr, std::move(list)));
  } catch (const std::exception& error) {
    context.notify(error.what());  // no memory, or a lost device
    throw;
  }
}

// Section 5.2.1: what a sub-buffer may not ask for beyond its parent, and what it inherits.
cl_mem_flags sub_buffer_flags(const Buffer& parent, cl_mem_flags flags) {
  check_flags(flags, kDeviceFlags | kHostFlags);
  const cl_mem_flags of_parent = parent.flags();
  require(!(of_parent & CL_MEM_WRITE_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)),
          CL_INVALID_VALUE, "the buffer is write-only");
  require(!(of_parent & CL_MEM_READ_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
          CL_INVALID_VALUE, "the buffer is read-only");
  require(!(of_parent & CL_MEM_HOST_WRITE_ONLY) || !(flags & CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE,
          "the host only writes the buffer");
  require(!(of_parent & CL_MEM_HOST_READ_ONLY) || !(flags & CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE,
          "the host only reads the buffer");
  require(!(of_parent & CL_MEM_HOST_NO_ACCESS) || !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
          CL_INVALID_VALUE, "the host does not touch the buffer");
  if (!(flags & kDeviceFlags)) flags |= of_parent & kDeviceFlags;
  if (!(flags & kHostFlags)) flags |= of_parent & kHostFlags;
  return flags | (of_parent & kPointerFlags);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* error) {
  return created(error, [&] { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* error) {
  return created(error, [&] { return create_buffer(context, properties, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* error) {
  return created(error, [&] {
    Buffer& parent = object_of<Buffer>(handle);
    require(!parent.parent() && !parent.pipe(), CL_INVALID_MEM_OBJECT,
            "a sub-buffer of a sub-buffer or a pipe");
    const cl_mem_flags inherited = sub_buffer_flags(parent, flags);
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

cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  return guarded([&] { object_of<Buffer>(memory).retain_api(); });
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  return guarded([&] {
    require(object_of<Buffer>(memory).release_api(), CL_INVALID_MEM_OBJECT,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK* function)(cl_mem, void*),
                                                    void* user) {
  return guarded([&] {
    Buffer& buffer = object_of<Buffer>(memory);
    require(function, CL_INVALID_VALUE, "no callback");
    buffer.add_destructor_callback(function, user);
  });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void* value,
                                      size_t* size_ret) {
  return guarded([&]() -> InfoWriter::Written {
    const Buffer& buffer = object_of<Buffer>(handle);
    InfoWriter out(size, value, size_ret);
    switch (name) {
      case CL_MEM_TYPE:
        return out.write<cl_mem_object_type>(buffer.pipe() ? CL_MEM_OBJECT_PIPE : CL_MEM_OBJECT_BUFFER);
      case CL_MEM_FLAGS:
        return out.write<cl_mem_flags>(buffer.flags());
      case CL_MEM_SIZE:
        return out.write<size_t>(buffer.size());
      case CL_MEM_HOST_PTR:
        return out.write<void*>(buffer.host_ptr());
      case CL_MEM_MAP_COUNT:
        return out.write<cl_uint>(buffer.map_count());
      case CL_MEM_REFERENCE_COUNT:
        return out.write<cl_uint>(buffer.api_count());
      case CL_MEM_CONTEXT:
        return out.write<cl_context>(handle_of(buffer.context()));
      case CL_MEM_ASSOCIATED_MEMOBJECT:
        return out.write<cl_mem>(buffer.parent() ? handle_of(*buffer.parent()) : nullptr);
      case CL_MEM_OFFSET:
        return out.write<size_t>(buffer.origin());
      case CL_MEM_USES_SVM_POINTER:
        return out.write<cl_bool>(buffer.is_shared() ? CL_TRUE : CL_FALSE);
      case CL_MEM_PROPERTIES:
        return out.array(buffer.properties());
    }
    out.unknown();
  });
}
