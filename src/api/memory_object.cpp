// SPDX-License-Identifier: Apache-2.0
// Functions on memory objects of every type.
#include "runtime/memory/memory_object.h"

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"
#include "api/memory_flags.h"
#include "runtime/extension_definitions.h"
#include "runtime/image/image.h"

namespace clcuda::api {
namespace {

bool at_most_one(cl_mem_flags flags) { return (flags & (flags - 1)) == 0; }

}  // namespace

// Section 5.2.1: known flags only, and none that exclude each other.
void check_flags(cl_mem_flags flags, cl_mem_flags allowed) {
  require_flags(flags, allowed, CL_INVALID_VALUE, "an unknown memory flag");
  require(at_most_one(flags & kDeviceFlags), CL_INVALID_VALUE,
          "more than one of READ_WRITE, READ_ONLY, WRITE_ONLY");
  require(at_most_one(flags & kHostFlags), CL_INVALID_VALUE, "more than one CL_MEM_HOST_… flag");
  require(!(flags & CL_MEM_USE_HOST_PTR) || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
          CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR excludes the other pointer flags");
  require(!(flags & CL_MEM_IMMUTABLE_EXT) ||
              !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)),
          CL_INVALID_VALUE, "CL_MEM_IMMUTABLE_EXT excludes the flags of those who write");
}

void check_object_flags(cl_mem_flags flags) {
  check_flags(flags, kObjectFlags);
  require(!(flags & CL_MEM_IMMUTABLE_EXT) || flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
          CL_INVALID_VALUE, "an immutable object without contents");
}

// Sections 5.2.1 and 5.3.1: an object made from another one has no access that the other one lacks, and inherits its host memory.
cl_mem_flags inherited_flags(cl_mem_flags of_parent, cl_mem_flags flags) {
  check_flags(flags | (of_parent & CL_MEM_IMMUTABLE_EXT), kDeviceFlags | kHostFlags | CL_MEM_IMMUTABLE_EXT);
  require(!(of_parent & CL_MEM_WRITE_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)),
          CL_INVALID_VALUE, "the parent is write-only");
  require(!(of_parent & CL_MEM_READ_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
          CL_INVALID_VALUE, "the parent is read-only");
  require(!(of_parent & CL_MEM_HOST_WRITE_ONLY) || !(flags & CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE,
          "the host only writes the parent");
  require(!(of_parent & CL_MEM_HOST_READ_ONLY) || !(flags & CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE,
          "the host only reads the parent");
  require(!(of_parent & CL_MEM_HOST_NO_ACCESS) || !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
          CL_INVALID_VALUE, "the host does not touch the parent");
  if (!(flags & (kDeviceFlags | CL_MEM_IMMUTABLE_EXT))) flags |= of_parent & kDeviceFlags;
  if (!(flags & kHostFlags)) flags |= of_parent & kHostFlags;
  return flags | (of_parent & (kPointerFlags | CL_MEM_IMMUTABLE_EXT));
}

Ref<SvmAllocation> shared_memory_at(Context& context, const void* host_ptr) {
  if (!host_ptr) return {};
  Ref<SvmAllocation> found = context.svm().find(host_ptr);
  require(!found || found->kind() != PointerMemory::device, CL_INVALID_HOST_PTR,
          "memory of a device, which the host does not reach");
  return found;
}

namespace {

// Values of queries that depend on the type.
struct TypeInfo {
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  size_t size = 0, offset = 0;
  cl_mem parent = nullptr;
};

TypeInfo type_info(cl_mem handle) {
  if (find_object(handle, ObjectType::image)) {
    const Image& image = object_of<Image>(handle);
    const cl_mem parent = image.parent()   ? handle_of(*image.parent())
                          : image.buffer() ? handle_of(*image.buffer())
                                           : nullptr;
    return {image.shape().type, image.size_in_bytes(), 0, parent};
  }
  const Buffer& buffer = object_of<Buffer>(handle);
  const cl_mem_object_type type = buffer.pipe() ? CL_MEM_OBJECT_PIPE : CL_MEM_OBJECT_BUFFER;
  return {type, buffer.size(), buffer.origin(), buffer.parent() ? handle_of(*buffer.parent()) : nullptr};
}

// Section 5.5.6: what was given when the object was made. Images of buffers and of images are mapped to their parents' host memory.
void* host_pointer(cl_mem handle) {
  const MemoryObject& object = memory_object_of(handle);
  return find_object(handle, ObjectType::image) && type_info(handle).parent ? nullptr : object.host_ptr();
}

// Section 5.5.6: a property of buffers and sub-buffers.
bool uses_shared_memory(cl_mem handle) {
  return !find_object(handle, ObjectType::image) && object_of<Buffer>(handle).is_svm();
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

// Section 5.5.1.
cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  return guarded(memory, [&] { memory_object_of(memory).retain_api(); });
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  return guarded(memory, [&] {
    require(memory_object_of(memory).release_api(), CL_INVALID_MEM_OBJECT,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK* function)(cl_mem, void*),
                                                    void* user) {
  return guarded(memory, [&] {
    MemoryObject& object = memory_object_of(memory);
    require(function, CL_INVALID_VALUE, "no callback");
    object.destructor_callbacks().add(function, user);
  });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void* value,
                                      size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    const MemoryObject& object = memory_object_of(handle);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_MEM_TYPE:
        return out.write<cl_mem_object_type>(type_info(handle).type);
      case CL_MEM_FLAGS:
        return out.write<cl_mem_flags>(object.flags());
      case CL_MEM_SIZE:
        return out.write<size_t>(type_info(handle).size);
      case CL_MEM_HOST_PTR:
        return out.write<void*>(host_pointer(handle));
      case CL_MEM_MAP_COUNT:
        return out.write<cl_uint>(object.map_count());
      case CL_MEM_REFERENCE_COUNT:
        return out.write<cl_uint>(object.api_count());
      case CL_MEM_CONTEXT:
        return out.write<cl_context>(handle_of(object.context()));
      case CL_MEM_ASSOCIATED_MEMOBJECT:
        return out.write<cl_mem>(type_info(handle).parent);
      case CL_MEM_OFFSET:
        return out.write<size_t>(type_info(handle).offset);
      case CL_MEM_USES_SVM_POINTER:
        return out.write<cl_bool>(uses_shared_memory(handle) ? CL_TRUE : CL_FALSE);
      case CL_MEM_DEVICE_ADDRESS_EXT: {
        const auto* buffer = static_cast<const Buffer*>(find_object(handle, ObjectType::memory));
        require(buffer && !buffer->addresses().empty(), CL_INVALID_OPERATION,
                "not a buffer whose addresses were asked for when it was made");
        return out.array(buffer->addresses());
      }
      case CL_MEM_PROPERTIES:
        return out.array(object.properties());
    }
    out.unknown();
  });
}
