// SPDX-License-Identifier: Apache-2.0
// Images are not offered (CL_DEVICE_IMAGE_SUPPORT is false): creating one is an invalid operation, and no
// handle names one.
#include "api/entry_point.h"
#include "runtime/context.h"

namespace clcuda::api {
namespace {

cl_mem refuse_image(cl_context context, cl_int* error) {
  return created(error, [&]() -> cl_mem {
    object_of<Context>(context);
    throw Error(CL_INVALID_OPERATION, "no device of the context supports images");
  });
}

cl_int refuse_image_command(cl_command_queue queue) {
  return guarded([&] {
    require(find_object(queue, ObjectType::command_queue) != nullptr, CL_INVALID_COMMAND_QUEUE,
            "not a valid handle");
    throw Error(CL_INVALID_MEM_OBJECT, "not an image");
  });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*,
                                 const cl_image_desc*, void*, cl_int* error) {
  return refuse_image(context, error);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                               const cl_image_format*, const cl_image_desc*, void*,
                                               cl_int* error) {
  return refuse_image(context, error);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                                   size_t, void*, cl_int* error) {
  return refuse_image(context, error);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                                   size_t, size_t, size_t, void*, cl_int* error) {
  return refuse_image(context, error);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context handle, cl_mem_flags, cl_mem_object_type type,
                                              cl_uint count, cl_image_format* formats, cl_uint* available) {
  return guarded([&] {
    object_of<Context>(handle);
    require(type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_VALUE,
            "image_type names no kind of image");
    require(!formats || count > 0, CL_INVALID_VALUE, "num_entries is 0 and image_formats is given");
    if (available) *available = 0;
  });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return guarded([] { throw Error(CL_INVALID_MEM_OBJECT, "not an image"); });
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                      size_t, size_t, void*, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                       size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem, const void*, const size_t*,
                                      const size_t*, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t*, const size_t*,
                                      const size_t*, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t*,
                                              const size_t*, size_t, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t*,
                                              const size_t*, cl_uint, const cl_event*, cl_event*) {
  return refuse_image_command(queue);
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t*,
                                    const size_t*, size_t*, size_t*, cl_uint, const cl_event*, cl_event*,
                                    cl_int* error) {
  const cl_int code = refuse_image_command(queue);
  if (error) *error = code;
  return nullptr;
}
