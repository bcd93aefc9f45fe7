// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory (section 5.6): allocation, and its use by kernels.
#include "runtime/memory/svm.h"

#include <algorithm>
#include <cstring>

#include "api/entry_point.h"
#include "api/known_values.h"
#include "runtime/extension_definitions.h"
#include "runtime/platform/context.h"
#include "runtime/platform/device.h"
#include "runtime/program/kernel.h"

namespace clcuda::api {
namespace {

constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;

bool every_device_has(const Context& context, cl_device_svm_capabilities capability) {
  return std::ranges::all_of(context.devices(),
                             [&](const Device* device) { return svm_capabilities(*device) & capability; });
}

bool any_device_has(const Context& context, cl_device_svm_capabilities capability) {
  return std::ranges::any_of(context.devices(),
                             [&](const Device* device) { return svm_capabilities(*device) & capability; });
}

// Section 5.6.1: flags that fit together and that the devices support; a size that each of them can allocate; a valid alignment.
void* allocate(Context& context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  const cl_svm_mem_flags access = flags & kAccess;
  require_flags(flags, kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, CL_INVALID_VALUE,
                "an unknown flag");
  require((access & (access - 1)) == 0, CL_INVALID_VALUE,
          "more than one of READ_WRITE, READ_ONLY, WRITE_ONLY");
  require(!(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_INVALID_VALUE,
          "CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER");
  require(
      !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) || every_device_has(context, CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
      CL_INVALID_VALUE, "not every device has fine-grained buffers");
  require(size > 0, CL_INVALID_VALUE, "the size is 0");
  require(std::ranges::all_of(context.devices(),
                              [&](const Device* device) { return size <= device->memory_size(); }),
          CL_INVALID_VALUE, "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  require(is_alignment(alignment), CL_INVALID_VALUE, "an alignment is a power of two up to 64 KiB");
  try {
    return context.svm().allocate(
        *context.devices().front(),
        {.kind = PointerMemory::svm, .size = size, .alignment = alignment, .flags = flags});
  } catch (const std::exception& error) {
    context.notify(error.what());
    throw;
  }
}

// Whether kernels of the context can use the pointer: null, shared virtual memory, any host memory if all devices access that, or an
// address that the driver knows (of memory that the application allocated with CUDA).
bool is_usable(Context& context, const void* pointer) {
  if (!pointer || every_device_has(context, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) || context.svm().find(pointer))
    return true;
  Device& device = *context.devices().front();
  cuda::Current current(device.context());
  unsigned type = 0;
  return device.driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                               reinterpret_cast<CUdeviceptr>(pointer)) == CUDA_SUCCESS;
}

// Kernels can access all shared virtual memory and unified shared memory of the context anyway, so the list is checked and ignored. (Every
// device supports both, so the errors for devices that do not cannot occur.)
void check_pointers(size_t size, const void* value) {
  require(size % sizeof(void*) == 0, CL_INVALID_VALUE, "not the size of a list of pointers");
  require(size == 0 || value, CL_INVALID_VALUE, "a size without a list");
}

// cl_ext_buffer_device_address: addresses in buffers that must be resident on the device when the kernel runs.
std::vector<CUdeviceptr> device_pointers(size_t size, const void* value) {
  require(size % sizeof(cl_mem_device_address_ext) == 0 && (value || size == 0), CL_INVALID_VALUE,
          "not a list of device pointers");
  std::vector<CUdeviceptr> addresses(size / sizeof(cl_mem_device_address_ext));
  if (size) std::memcpy(addresses.data(), value, size);
  return addresses;
}

void check_fine_grain_system(const Context& context, size_t size, const void* value) {
  cl_bool wanted = CL_FALSE;
  require(size == sizeof wanted && value, CL_INVALID_VALUE, "not a cl_bool");
  std::memcpy(&wanted, value, sizeof wanted);
  require(!wanted || any_device_has(context, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM), CL_INVALID_OPERATION,
          "no device of the context has fine-grained system memory");
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  return created(nullptr, context,
                 [&] { return allocate(object_of<Context>(context), flags, size, alignment); });
}

void CL_API_CALL clSVMFree(cl_context context, void* pointer) {
  guarded(context, [&] {
    require(!pointer || object_of<Context>(context).svm().free(pointer, SvmSpace::Name::svm),
            CL_INVALID_VALUE, "not what clSVMAlloc returned for this context");
  });
}

// Section 5.9.2. Every device supports shared virtual memory, so the error for devices that do not cannot occur.
cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel handle, cl_uint index, const void* pointer) {
  return guarded_briefly(handle, [&] {
    Kernel& kernel = object_of<Kernel>(handle);
    require(index < kernel.info().arguments.size(), CL_INVALID_ARG_INDEX, "the kernel has no such argument");
    require(is_usable(kernel.context(), pointer), CL_INVALID_ARG_VALUE,
            "not a pointer that the devices can use");
    kernel.set_pointer(index, pointer);
  });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                                       const void* value) {
  return guarded(handle, [&] {
    Kernel& kernel = object_of<Kernel>(handle);
    switch (name) {
      case CL_KERNEL_EXEC_INFO_SVM_PTRS:
        return check_pointers(size, value);
      case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        return check_fine_grain_system(kernel.context(), size, value);
      case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        return check_pointers(size, value);
      case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
        return kernel.set_device_pointers(device_pointers(size, value));
      case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
      case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
      case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return require(size == sizeof(cl_bool) && value, CL_INVALID_VALUE, "not a cl_bool");
      default:
        throw Error(CL_INVALID_VALUE, "an unknown kind of information");
    }
  });
}
