// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop (docs/cl_clcuda_cuda_interop.md): memory, streams and events shared by OpenCL and CUDA.
#include <CL/cl_clcuda.h>

#include <algorithm>
#include <span>
#include <vector>

#include "api/enqueue.h"
#include "cuda/driver_function.h"
#include "runtime/commands/wait_for_cuda.h"
#include "runtime/image/image.h"
#include "runtime/queue/application_stream.h"

namespace clcuda::api {
namespace {

Access access_of(cl_mem_flags flags) {
  switch (flags) {
    case CL_MEM_READ_ONLY:
      return Access::read;
    case CL_MEM_WRITE_ONLY:
      return Access::overwrite;
    case CL_MEM_READ_WRITE:
      return Access::write;
    default:
      throw Error(CL_INVALID_VALUE, "an access other than READ_ONLY, WRITE_ONLY, READ_WRITE");
  }
}

// Calls `body` with the buffer, sub-buffer or image, which is of the queue's context.
template <class Body>
auto with_object(const CommandQueue& queue, cl_mem handle, Body body) {
  if (auto* image = static_cast<Image*>(find_object(handle, Image::kType))) {
    require(&image->context() == &queue.context(), CL_INVALID_CONTEXT,
            "the queue and the image are of different contexts");
    return body(*image);
  }
  return body(buffer_of(queue, handle));
}

MemoryUse whole(Image& image, Access access) {
  return {image, ImageRegion{.size = image.shape().size}, access};
}
MemoryUse whole(Buffer& buffer, Access access) { return {buffer, ByteRange{0, buffer.size()}, access}; }

// `accesses` is null, or as long as the list of objects.
std::vector<MemoryUse> uses_of(const CommandQueue& queue, std::span<const cl_mem> objects,
                               const cl_mem_flags* accesses) {
  std::vector<MemoryUse> uses;
  uses.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Access access = access_of(accesses ? accesses[i] : CL_MEM_READ_WRITE);
    uses.push_back(with_object(queue, objects[i], [&](auto& object) {
      if (access != Access::read) require_mutable(object);
      return whole(object, access);
    }));
  }
  return uses;
}

ForeignWork::Objects objects_of(const CommandQueue& queue, std::span<const cl_mem> handles) {
  ForeignWork::Objects objects;
  objects.reserve(handles.size());
  for (const cl_mem handle : handles)
    with_object(queue, handle, [&](MemoryObject& object) { objects.emplace_back(object); });
  return objects;
}

// Has the queue's commands follow the work: with a command only if there is something that a command must wait for, or an event.
void enqueue_wait(CommandQueue& queue, cl_command_type type, ForeignWork work, WaitList waits,
                  cl_event* event) {
  const auto emit = [&](cuda::Stream& stream) { work.hold_back(stream); };
  if (!event && waits.empty() && queue.record_directly({.type = type}, {}, emit)) return;
  enqueue(queue, new WaitForCuda(queue, type, std::move(work)), std::move(waits), event);
}

std::span<const cl_mem> list_of(cl_uint count, const cl_mem* objects) {
  require((count == 0) == (objects == nullptr), CL_INVALID_VALUE,
          "a count of objects without a list, or the other way round");
  return {objects, count};
}

// The place of a device's memory in the context of the object.
std::size_t memory_index(const MemoryObject& object, cl_device_id handle) {
  const Device& device = object_of<Device>(handle);
  require(object.context().has(device), CL_INVALID_DEVICE, "the device is not one of the context's");
  return object.context().memory_index(device);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

void* CL_API_CALL clGetCudaFunctionCLCUDA(cl_device_id handle, const char* name) {
  return created(nullptr, handle, [&]() -> void* {
    const Device& device = object_of<Device>(handle);
    require(name, CL_INVALID_VALUE, "no name");
    return cuda::driver_function(device.driver(), name);
  });
}

cl_int CL_API_CALL clEnqueueAcquireCudaObjectsCLCUDA(cl_command_queue queue_handle, cl_uint count,
                                                     const cl_mem* objects, const cl_mem_flags* accesses,
                                                     CUstream_st* stream, cl_uint wait_count,
                                                     const cl_event* waits) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    std::vector<MemoryUse> uses = uses_of(queue, list_of(count, objects), accesses);
    acquire_for_stream(queue, uses, stream, wait_list(queue.context(), wait_count, waits));
  });
}

cl_int CL_API_CALL clEnqueueReleaseCudaObjectsCLCUDA(cl_command_queue queue_handle, cl_uint count,
                                                     const cl_mem* objects, CUstream_st* stream,
                                                     cl_uint wait_count, const cl_event* waits,
                                                     cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    ForeignWork::Objects accessed = objects_of(queue, list_of(count, objects));
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue_wait(queue, CL_COMMAND_RELEASE_CUDA_OBJECTS_CLCUDA, {queue, stream, std::move(accessed)},
                 std::move(list), event);
  });
}

cl_int CL_API_CALL clEnqueueWaitForCudaEventCLCUDA(cl_command_queue queue_handle, CUevent_st* cuda_event,
                                                   cl_uint wait_count, const cl_event* waits,
                                                   cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    require(cuda_event, CL_INVALID_VALUE, "no event");
    WaitList list = wait_list(queue.context(), wait_count, waits);
    enqueue_wait(queue, CL_COMMAND_WAIT_FOR_CUDA_EVENT_CLCUDA, {queue, cuda_event}, std::move(list), event);
  });
}

cl_int CL_API_CALL clCudaStreamWaitForEventsCLCUDA(cl_device_id handle, CUstream_st* stream, cl_uint count,
                                                   const cl_event* events) {
  return guarded(handle, [&] {
    Device& device = object_of<Device>(handle);
    require(count > 0 && events, CL_INVALID_VALUE, "no events to wait for");
    WaitList list;
    for (cl_uint i = 0; i < count; ++i) list.emplace_back(object_of<Event>(events[i]).command());
    hold_back(DeviceResources::of(device.root()), stream, list);
  });
}

cl_int CL_API_CALL clGetMemObjectCudaPointerCLCUDA(cl_mem handle, cl_device_id device,
                                                   unsigned long long* pointer) {
  return guarded<Shortage::of_memory_objects>(handle, [&] {
    Buffer& buffer = object_of<Buffer>(handle);
    require(!buffer.pipe(), CL_INVALID_MEM_OBJECT, "a pipe where a buffer belongs");
    const std::size_t index = memory_index(buffer, device);
    require(pointer, CL_INVALID_VALUE, "nowhere to write the pointer to");
    *pointer = buffer.expose_address(index);
  });
}

cl_int CL_API_CALL clGetImageCudaArrayCLCUDA(cl_mem handle, cl_device_id device, cl_uint level,
                                             CUarray_st** array) {
  return guarded<Shortage::of_memory_objects>(handle, [&] {
    Image& image = object_of<Image>(handle);
    const std::size_t index = memory_index(image, device);
    require(!image.buffer(), CL_INVALID_OPERATION, "the texels lie in a buffer");
    require(level < std::max(image.shape().levels, 1u), CL_INVALID_MIP_LEVEL, "the image has no such level");
    require(array, CL_INVALID_VALUE, "nowhere to write the array to");
    *array = image.expose_array(index, level);
  });
}
