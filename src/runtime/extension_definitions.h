// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

// Definitions of OpenCL 3.1 and of extensions that OpenCL's headers of 2023 lack.

#ifndef CL_VERSION_3_1
extern "C" cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                                cl_uint dimensions, const size_t* offset,
                                                                const size_t* global, size_t* local);
#endif

// cl_ext_immutable_memory_objects 1.0.0
#ifndef CL_MEM_IMMUTABLE_EXT
constexpr cl_mem_flags CL_MEM_IMMUTABLE_EXT = 1 << 6;
#endif

// cl_ext_buffer_device_address 1.0.2
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
using cl_mem_device_address_ext = cl_ulong;
constexpr cl_mem_properties CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT = 0x5000;
constexpr cl_mem_info CL_MEM_DEVICE_ADDRESS_EXT = 0x5001;
constexpr cl_kernel_exec_info CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT = 0x5002;
extern "C" cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
                                                             cl_mem_device_address_ext address);
#endif
