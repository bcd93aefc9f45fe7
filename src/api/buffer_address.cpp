// SPDX-License-Identifier: Apache-2.0
// cl_ext_buffer_device_address: addresses of buffers as kernels' arguments.
#include "api/entry_point.h"
#include "runtime/extension_definitions.h"
#include "runtime/program/kernel.h"

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
                                                  cl_mem_device_address_ext address) {
  return guarded(kernel, [&] { object_of<Kernel>(kernel).set_device_pointer(index, address); });
}
