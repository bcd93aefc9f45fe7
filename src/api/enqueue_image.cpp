// SPDX-License-Identifier: Apache-2.0
// Commands on images: read, write, map (section 5.3.4). Copies and fills are in enqueue_copy_image.cpp.
#include "api/image_region.h"
#include "api/memory_flags.h"
#include "runtime/commands/transfer.h"

namespace clcuda::api {
namespace {

struct TransferArguments {
  const size_t *origin, *region;
  size_t row_pitch, slice_pitch;
};

// Section 5.3.4: the region is inside the image, the pitches are large enough for it, and the flags let the host read or write.
void transfer(bool to_device, cl_command_queue queue_handle, cl_mem image_handle, cl_bool blocking,
              const TransferArguments& arguments, void* host, cl_uint wait_count, const cl_event* waits,
              cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Image& image = image_of(queue, image_handle);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  const ImageRegion region = region_of(image, arguments.origin, arguments.region);
  const HostPitches pitches = host_pitches(image, region, arguments.row_pitch, arguments.slice_pitch);
  require(host, CL_INVALID_VALUE, "no host pointer");
  require(!(image.flags() & (to_device ? kNoHostWrite : kNoHostRead)), CL_INVALID_OPERATION,
          "the image's flags forbid it");
  const HostTransfer transfer{.to_device = to_device,
                              .host = image.in_host_memory(host, pitches.row, pitches.slice),
                              .region = image.bytes_of(region)};
  enqueue(queue,
          new Transfer(queue, to_device ? CL_COMMAND_WRITE_IMAGE : CL_COMMAND_READ_IMAGE, image, region,
                       transfer),
          std::move(list), event, blocking);
}

// The transfer of a map or unmap. It is empty if the image is in shared memory, which the host accesses directly.
HostTransfer mapped(const Image& image, const ImageMapping& mapping, bool to_device, bool moves) {
  const bool shared = image.buffer() && image.buffer()->is_shared();
  return {.to_device = to_device,
          .host = image.in_host_memory(mapping.host, mapping.row_pitch, mapping.slice_pitch),
          .region = moves && !shared ? image.bytes_of(mapping.region) : Size3{}};
}

}  // namespace

void unmap_image(CommandQueue& queue, Image& image, void* host, WaitList waits, cl_event* event) {
  image.unmap(host, [&](const ImageMapping& mapping) {
    enqueue(queue,
            new Transfer(queue, CL_COMMAND_UNMAP_MEM_OBJECT, image, mapping.region,
                         mapped(image, mapping, true, mapping.writes), mapping.block),
            std::move(waits), event);
  });
}

}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      const size_t* origin, const size_t* region, size_t row_pitch,
                                      size_t slice_pitch, void* host, cl_uint wait_count,
                                      const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    transfer(false, queue, image, blocking, {origin, region, row_pitch, slice_pitch}, host, wait_count, waits,
             event);
  });
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                       const size_t* origin, const size_t* region, size_t row_pitch,
                                       size_t slice_pitch, const void* host, cl_uint wait_count,
                                       const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    transfer(true, queue, image, blocking, {origin, region, row_pitch, slice_pitch}, const_cast<void*>(host),
             wait_count, waits, event);
  });
}

// Section 5.3.7: the region is inside the image, the pitches can be returned, and the flags allow the requested access by the host.
void* CL_API_CALL clEnqueueMapImage(cl_command_queue queue_handle, cl_mem image_handle, cl_bool blocking,
                                    cl_map_flags flags, const size_t* origin, const size_t* size,
                                    size_t* row_pitch, size_t* slice_pitch, cl_uint wait_count,
                                    const cl_event* waits, cl_event* event, cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, telling(queue_handle, [&]() -> void* {
        CommandQueue& queue = object_of<CommandQueue>(queue_handle);
        Image& image = image_of(queue, image_handle);
        WaitList list = wait_list(queue.context(), wait_count, waits);
        const ImageRegion region = region_of(image, origin, size);
        require_map_flags(flags);
        require(!(flags & CL_MAP_READ) || !(image.flags() & kNoHostRead), CL_INVALID_OPERATION,
                "the image's flags forbid reading");
        require(!(flags & kMapWrites) || !(image.flags() & kNoHostWrite), CL_INVALID_OPERATION,
                "the image's flags forbid writing");
        require(row_pitch, CL_INVALID_VALUE, "image_row_pitch is null");
        const bool has_slices = image.shape().is_array() || image.shape().type == CL_MEM_OBJECT_IMAGE3D;
        require(slice_pitch || !has_slices, CL_INVALID_VALUE, "image_slice_pitch is null");
        const ImageMapping mapping = image.map(queue.resources(), region, flags);
        // Contents that will be overwritten need not be fetched.
        const bool fetched = !(flags & CL_MAP_WRITE_INVALIDATE_REGION) && !image.host_has_contents();
        try {
          enqueue(queue,
                  new Transfer(queue, CL_COMMAND_MAP_IMAGE, image, region,
                               mapped(image, mapping, false, fetched), mapping.block),
                  std::move(list), event, blocking);
        } catch (...) {
          image.forget(mapping);
          throw;
        }
        *row_pitch = mapping.row_pitch;
        if (slice_pitch) *slice_pitch = has_slices ? mapping.slice_pitch : 0;
        return mapping.host;
      }));
}
