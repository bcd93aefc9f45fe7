// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/kernel.h"

#include "api/entry_point.h"

using namespace clcuda;
using namespace clcuda::api;

// Section 5.9.1. create_kernel() checks the name.
cl_kernel CL_API_CALL clCreateKernel(cl_program handle, const char* name, cl_int* error) {
  return created(error, handle, [&] {
    Program& program = object_of<Program>(handle);
    require(name != nullptr, CL_INVALID_VALUE, "kernel_name is null");
    return handle_of(*create_kernel(program, name));
  });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program handle, cl_uint count, cl_kernel* kernels,
                                            cl_uint* available) {
  return guarded(handle, [&] {
    Program& program = object_of<Program>(handle);
    const std::size_t needed = program.kernel_names().size();
    require(!kernels || count >= needed, CL_INVALID_VALUE,
            "num_kernels is less than the kernels of the program");
    if (kernels)
      for (const Kernel* kernel : create_all_kernels(program)) *kernels++ = handle_of(*kernel);
    if (available) *available = static_cast<cl_uint>(needed);
  });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel handle, cl_int* error) {
  return created(error, handle, [&] { return handle_of(*new Kernel(object_of<Kernel>(handle))); });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel handle) {
  return guarded(handle, [&] { object_of<Kernel>(handle).retain_api(); });
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel handle) {
  return guarded(handle, [&] {
    require(object_of<Kernel>(handle).release_api(), CL_INVALID_KERNEL, "released more often than retained");
  });
}

// Section 5.9.2. Kernel::set_argument() checks the index, the size and the value.
cl_int CL_API_CALL clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void* value) {
  return guarded_briefly(handle, [&] { object_of<Kernel>(handle).set_argument(index, size, value); });
}
