// SPDX-License-Identifier: Apache-2.0
// Copies between images and buffers, and fills (sections 5.3.4 to 5.3.6).
#include <cstring>

#include "api/image_region.h"
#include "runtime/commands/copy_image.h"
#include "runtime/commands/fill_image.h"
#include "runtime/image/texel.h"

namespace clcuda::api {
namespace {

bool same(const cl_image_format& a, const cl_image_format& b) {
  return a.image_channel_order == b.image_channel_order &&
         a.image_channel_data_type == b.image_channel_data_type;
}

// Section 5.3.6: the region is inside the image, and as many bytes are inside the buffer. A 1D image buffer must not be created from the
// buffer; other images may be.
void copy_with_buffer(bool to_buffer, cl_command_queue queue_handle, cl_mem image_handle,
                      cl_mem buffer_handle, const size_t* origin, const size_t* size, size_t offset,
                      cl_uint wait_count, const cl_event* waits, cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Image& image = image_of(queue, image_handle);
  Buffer& buffer = buffer_of(queue, buffer_handle);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  const ImageRegion region = region_of(image, origin, size);
  const Size3 bytes = image.bytes_of(region);
  require_inside(buffer, offset, bytes[0] * bytes[1] * bytes[2]);
  require(image.shape().type != CL_MEM_OBJECT_IMAGE1D_BUFFER || image.buffer() != &buffer,
          CL_INVALID_MEM_OBJECT, "the 1D image buffer was made from the buffer");
  to_buffer ? require_mutable(buffer) : require_mutable(image);
  enqueue(queue,
          to_buffer ? new CopyImage(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, image, region, buffer, offset)
                    : new CopyImage(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, buffer, offset, image, region),
          std::move(list), event);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

// Section 5.3.4: the formats are the same, and the regions inside the images; in the same image, or in views of one image, they share no
// texel.
cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue_handle, cl_mem from_handle, cl_mem to_handle,
                                      const size_t* from_origin, const size_t* to_origin, const size_t* size,
                                      cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    Image& from = image_of(queue, from_handle);
    Image& to = image_of(queue, to_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(same(from.format().name, to.format().name), CL_IMAGE_FORMAT_MISMATCH,
            "the images' formats differ");
    const ImageRegion source = region_of(from, from_origin, size), target = region_of(to, to_origin, size);
    require(&from.root() != &to.root() || !overlap(source, target), CL_MEM_COPY_OVERLAP,
            "source and destination overlap");
    require_mutable(to);
    enqueue(queue, new CopyImage(queue, CL_COMMAND_COPY_IMAGE, from, source, to, target), std::move(list),
            event);
  });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                              const size_t* origin, const size_t* region, size_t offset,
                                              cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    copy_with_buffer(true, queue, image, buffer, origin, region, offset, wait_count, waits, event);
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                              size_t offset, const size_t* origin, const size_t* region,
                                              cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    copy_with_buffer(false, queue, image, buffer, origin, region, offset, wait_count, waits, event);
  });
}

// Section 5.3.5.
cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue_handle, cl_mem image_handle, const void* color,
                                      const size_t* origin, const size_t* size, cl_uint wait_count,
                                      const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    Image& image = image_of(queue, image_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    require(color, CL_INVALID_VALUE, "fill_color is null");
    const ImageRegion region = region_of(image, origin, size);
    require_mutable(image);
    enqueue(queue, new FillImage(queue, image, region, texel_of_color(image.format(), color)),
            std::move(list), event);
  });
}
