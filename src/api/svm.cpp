// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory is not offered (CL_DEVICE_SVM_CAPABILITIES is 0): nothing is allocated, every command
// is an invalid operation.
#include "api/entry_point.h"
#include "runtime/context.h"
#include "runtime/kernel.h"

namespace clcuda::api {
namespace {

cl_int refuse_svm_command(cl_command_queue queue) {
  return guarded([&] {
    require(find_object(queue, ObjectType::command_queue) != nullptr, CL_INVALID_COMMAND_QUEUE,
            "not a valid handle");
    throw Error(CL_INVALID_OPERATION, "the device does not support shared virtual memory");
  });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

void* CL_API_CALL clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) { return nullptr; }
void CL_API_CALL clSVMFree(cl_context, void*) {}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint, void*[],
                                    void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*), void*,
                                    cl_uint, const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, cl_uint,
                                      const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, cl_uint,
                                       const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, cl_uint,
                                   const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void*, cl_uint, const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*,
                                          cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
  return refuse_svm_command(queue);
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void*) {
  return guarded([&] {
    object_of<Kernel>(kernel);
    throw Error(CL_INVALID_OPERATION, "no device of the context supports shared virtual memory");
  });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void*) {
  return guarded([&] {
    object_of<Kernel>(kernel);
    throw Error(CL_INVALID_OPERATION, "no device of the context supports shared virtual memory");
  });
}
