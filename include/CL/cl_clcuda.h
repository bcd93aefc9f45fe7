/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_clcuda_cuda_interop 1.1.0: what OpenCL and CUDA share in one process. docs/cl_clcuda_cuda_interop.md is its
 * specification. The functions are found by clGetExtensionFunctionAddressForPlatform.
 *
 * Handles are CUDA's own: CUdevice is an int, CUdeviceptr an unsigned long long; a cudaStream_t is a CUstream, a cudaEvent_t a
 * CUevent, a cudaArray_t a CUarray.
 */
#ifndef CL_CLCUDA_H
#define CL_CLCUDA_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_clcuda_cuda_interop 1
#define CL_CLCUDA_CUDA_INTEROP_EXTENSION_NAME "cl_clcuda_cuda_interop"
#define CL_CLCUDA_CUDA_INTEROP_EXTENSION_VERSION CL_MAKE_VERSION(1, 1, 0)

/* clGetDeviceInfo: the CUDA device (int) and its primary context (CUcontext), in which everything of the device lives. */
#define CL_DEVICE_CUDA_DEVICE_CLCUDA 0x7C1C0001
#define CL_DEVICE_CUDA_CONTEXT_CLCUDA 0x7C1C0002
/* clGetCommandQueueInfo: the stream of an in-order queue (CUstream); CL_INVALID_COMMAND_QUEUE for others. */
#define CL_QUEUE_CUDA_STREAM_CLCUDA 0x7C1C0010
/* clCreateBufferWithProperties: device memory of the application's own (CUdeviceptr). */
#define CL_MEM_CUDA_POINTER_CLCUDA 0x7C1C0020
/* clCreateImageWithProperties: an array of the application's own (CUarray), and the device that it is on (cl_device_id), which may be
 * left out where the context has a single one. */
#define CL_MEM_CUDA_ARRAY_CLCUDA 0x7C1C0021
#define CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA 0x7C1C0022
/* cl_command_type */
#define CL_COMMAND_RELEASE_CUDA_OBJECTS_CLCUDA 0x7C1C0030
#define CL_COMMAND_WAIT_FOR_CUDA_EVENT_CLCUDA 0x7C1C0031

struct CUstream_st;
struct CUevent_st;
struct CUarray_st;

/* The function of the driver API by which the device is driven, by its name in cuda.h; null if there is none that clcuda uses. */
typedef void*(CL_API_CALL* clGetCudaFunctionCLCUDA_fn)(cl_device_id device, const char* name);

/* Makes objects ready for what is put into `stream` from now on. `accesses`: CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY or CL_MEM_READ_WRITE
 * for each object; null: CL_MEM_READ_WRITE for all. */
typedef cl_int(CL_API_CALL* clEnqueueAcquireCudaObjectsCLCUDA_fn)(
    cl_command_queue queue, cl_uint num_objects, const cl_mem* objects, const cl_mem_flags* accesses,
    struct CUstream_st* stream, cl_uint num_events_in_wait_list, const cl_event* event_wait_list);
/* A command that ends when what `stream` holds now has ended. */
typedef cl_int(CL_API_CALL* clEnqueueReleaseCudaObjectsCLCUDA_fn)(
    cl_command_queue queue, cl_uint num_objects, const cl_mem* objects, struct CUstream_st* stream,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);
/* A command that ends when `cuda_event` has, as it has been recorded last. */
typedef cl_int(CL_API_CALL* clEnqueueWaitForCudaEventCLCUDA_fn)(cl_command_queue queue,
                                                                struct CUevent_st* cuda_event,
                                                                cl_uint num_events_in_wait_list,
                                                                const cl_event* event_wait_list,
                                                                cl_event* event);
/* What is put into `stream`, of that device, from now on comes behind the events. */
typedef cl_int(CL_API_CALL* clCudaStreamWaitForEventsCLCUDA_fn)(cl_device_id device,
                                                                struct CUstream_st* stream,
                                                                cl_uint num_events, const cl_event* events);
/* Where a buffer lies on a device of its context: a CUdeviceptr, the same as long as the buffer lives. */
typedef cl_int(CL_API_CALL* clGetMemObjectCudaPointerCLCUDA_fn)(cl_mem buffer, cl_device_id device,
                                                                unsigned long long* pointer);
/* The array of an image, or of a level of a mipmap, on a device of its context. */
typedef cl_int(CL_API_CALL* clGetImageCudaArrayCLCUDA_fn)(cl_mem image, cl_device_id device,
                                                          cl_uint mip_level, struct CUarray_st** array);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY void* CL_API_CALL clGetCudaFunctionCLCUDA(cl_device_id device, const char* name);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireCudaObjectsCLCUDA(
    cl_command_queue queue, cl_uint num_objects, const cl_mem* objects, const cl_mem_flags* accesses,
    struct CUstream_st* stream, cl_uint num_events_in_wait_list, const cl_event* event_wait_list);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseCudaObjectsCLCUDA(
    cl_command_queue queue, cl_uint num_objects, const cl_mem* objects, struct CUstream_st* stream,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForCudaEventCLCUDA(cl_command_queue queue,
                                                                       struct CUevent_st* cuda_event,
                                                                       cl_uint num_events_in_wait_list,
                                                                       const cl_event* event_wait_list,
                                                                       cl_event* event);
extern CL_API_ENTRY cl_int CL_API_CALL clCudaStreamWaitForEventsCLCUDA(cl_device_id device,
                                                                       struct CUstream_st* stream,
                                                                       cl_uint num_events,
                                                                       const cl_event* events);
extern CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectCudaPointerCLCUDA(cl_mem buffer, cl_device_id device,
                                                                       unsigned long long* pointer);
extern CL_API_ENTRY cl_int CL_API_CALL clGetImageCudaArrayCLCUDA(cl_mem image, cl_device_id device,
                                                                 cl_uint mip_level,
                                                                 struct CUarray_st** array);
#endif

#ifdef __cplusplus
}
#endif

#endif
