// SPDX-License-Identifier: Apache-2.0
// cl_arm_import_memory 1.1.0, for host memory (cl_arm_import_memory_host).
#include <CL/cl_ext.h>

#include <algorithm>

#include "api/entry_point.h"
#include "api/known_values.h"
#include "api/memory_flags.h"
#include "api/reporting.h"
#include "runtime/memory/buffer.h"
#include "runtime/memory/imported_memory.h"
#include "runtime/platform/device_features.h"

namespace clcuda::api {
namespace {

// At most one property, the type of memory, which must be host memory.
void check(const cl_import_properties_arm* properties) {
  bool has_type = false;
  for (const cl_import_properties_arm* entry = properties; entry && *entry; entry += 2) {
    if (entry[0] != CL_IMPORT_TYPE_ARM || has_type)
      throw unknown_property(CL_INVALID_PROPERTY, "an unknown or repeated property of an import",
                             static_cast<cl_ulong>(entry[0]));
    require(entry[1] == CL_IMPORT_TYPE_HOST_ARM, CL_INVALID_PROPERTY,
            "memory of another type than CL_IMPORT_TYPE_HOST_ARM");
    has_type = true;
  }
}

// The process need not be able to write the memory of an immutable object, such as a file that is mapped to be read. Shared virtual memory
// needs no registration.
Buffer* make_buffer(Context& context, cl_mem_flags flags, void* memory, size_t size) {
  if (const Ref<SvmAllocation> svm = context.svm().find(memory)) {
    require(svm->kind() != PointerMemory::device, CL_INVALID_OPERATION,
            "memory of a device, which the host does not reach");
    require(svm->contains(memory, size), CL_INVALID_BUFFER_SIZE, "larger than the allocation that it names");
    return new Buffer(context, flags | CL_MEM_USE_HOST_PTR, size, memory, {});
  }
  using enum cuda::HostRegistrations::Access;
  const auto reads = [](const Device* device) { return imports_read_only_memory(*device); };
  const auto access =
      flags & CL_MEM_IMMUTABLE_EXT && std::ranges::all_of(context.devices(), reads) ? read : write;
  return new Buffer(context, flags, size,
                    Ref<ImportedMemory>::adopt(new ImportedMemory(context, memory, size, access)));
}

// The flags fit together, and every device of the context can access the memory.
cl_mem import(cl_context handle, cl_mem_flags flags, const cl_import_properties_arm* properties, void* memory,
              size_t size) {
  Context& context = object_of<Context>(handle);
  check(properties);
  check_flags(flags, kDeviceFlags | kHostFlags | CL_MEM_USE_HOST_PTR | CL_MEM_IMMUTABLE_EXT);
  require(memory, CL_INVALID_VALUE, "no memory");
  require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
  // Where an allocation of host memory ends cannot be determined.
  require(size != CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM, CL_INVALID_BUFFER_SIZE,
          "CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM of memory of the host");
  const auto imports = [](const Device* device) { return imports_host_memory(*device); };
  require(std::ranges::all_of(context.devices(), imports), CL_INVALID_OPERATION,
          "a device of the context cannot access memory of the host that is imported");
  if (!(flags & (kDeviceFlags | CL_MEM_IMMUTABLE_EXT))) flags |= CL_MEM_READ_WRITE;
  return reporting(context, [&] { return handle_of(*make_buffer(context, flags, memory, size)); });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags,
                                     const cl_import_properties_arm* properties, void* memory, size_t size,
                                     cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return import(context, flags, properties, memory, size); });
}
