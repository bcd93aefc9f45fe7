// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/command_queue.h"

#include <CL/cl_clcuda.h>

#include <optional>
#include <type_traits>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"
#include "runtime/platform/device_features.h"
#include "runtime/queue/device_queue.h"

namespace clcuda::api {
namespace {

constexpr cl_command_queue_properties kHostProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceProperties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

// A parsed property list; the list itself is kept for CL_QUEUE_PROPERTIES_ARRAY, with its terminator.
struct Wanted {
  cl_command_queue_properties properties = 0;
  std::optional<cl_queue_properties> size;
  std::vector<cl_queue_properties> list;
};

// Section 5.1: CL_INVALID_VALUE for properties that are not known or are given twice.
Wanted parse(const cl_queue_properties* list) {
  Wanted wanted;
  if (!list) return wanted;
  bool seen = false;
  for (; *list; list += 2) {
    if (*list == CL_QUEUE_PROPERTIES && !seen) {
      seen = true;
      wanted.properties = static_cast<cl_command_queue_properties>(list[1]);
    } else if (*list == CL_QUEUE_SIZE && !wanted.size) {
      wanted.size = list[1];
    } else {
      throw unknown_property(CL_INVALID_VALUE, "an unknown or repeated queue property", *list);
    }
    wanted.list.insert(wanted.list.end(), {list[0], list[1]});
  }
  wanted.list.push_back(0);
  return wanted;
}

// Section 5.1: a queue on the device is out of order, and has a size that the device offers.
cl_command_queue create_device_queue(Context& context, Device& device, Wanted wanted) {
  const cl_command_queue_properties properties = wanted.properties;
  require(offers_device_enqueue(device), CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own");
  require(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_INVALID_VALUE,
          "a queue on the device is out of order");
  const cl_queue_properties size = wanted.size.value_or(kDeviceQueueSize);
  require(size > 0 && size <= kDeviceQueueSize, CL_INVALID_QUEUE_PROPERTIES,
          "the size is 0 or beyond CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE");
  const auto made = Ref<DeviceQueue>::adopt(
      new DeviceQueue(context, device, properties, static_cast<cl_uint>(size), std::move(wanted.list)));
  // There is only one default queue; creating another returns it again.
  const Ref<DeviceQueue> queue = properties & CL_QUEUE_ON_DEVICE_DEFAULT ? made->default_or_this() : made;
  queue->retain_api();
  return handle_of(*queue);
}

// Section 5.1: known properties only, and a device of the context.
cl_command_queue create_queue(cl_context context_handle, cl_device_id device_handle, Wanted wanted) {
  Context& context = object_of<Context>(context_handle);
  Device& device = object_of<Device>(device_handle);
  require(context.has(device), CL_INVALID_DEVICE, "the device is not one of the context's");
  require_flags(wanted.properties, kHostProperties | kDeviceProperties, CL_INVALID_VALUE,
                "an unknown queue property");
  if (wanted.properties & CL_QUEUE_ON_DEVICE) return create_device_queue(context, device, std::move(wanted));
  require(!(wanted.properties & CL_QUEUE_ON_DEVICE_DEFAULT), CL_INVALID_VALUE,
          "only a queue on the device can be its default");
  require(!wanted.size, CL_INVALID_VALUE, "CL_QUEUE_SIZE is for queues on the device");
  return handle_of(CommandQueue::create(context, device, wanted.properties, std::move(wanted.list)));
}

// The queue behind a handle, whichever of the two kinds it is.
Object& any_queue(cl_command_queue handle) {
  if (Object* queue = find_object(handle, DeviceQueue::kType)) return *queue;
  return object_of<CommandQueue>(handle);
}

template <class Queue>
InfoWriter::Written write_info(const Queue& queue, cl_command_queue_info name, InfoWriter& out) {
  switch (name) {
    case CL_QUEUE_CONTEXT:
      return out.write<cl_context>(handle_of(queue.context()));
    case CL_QUEUE_DEVICE:
      return out.write<cl_device_id>(handle_of(queue.device()));
    case CL_QUEUE_REFERENCE_COUNT:
      return out.write<cl_uint>(queue.api_count());
    case CL_QUEUE_PROPERTIES:
      return out.write<cl_command_queue_properties>(queue.properties());
    case CL_QUEUE_PROPERTIES_ARRAY:
      return out.array(queue.property_list());
    case CL_QUEUE_SIZE:
      if constexpr (std::is_same_v<Queue, DeviceQueue>) return out.write<cl_uint>(queue.size());
      throw Error(CL_INVALID_COMMAND_QUEUE, "only a queue on the device has a size");
    case CL_QUEUE_CUDA_STREAM_CLCUDA:
      if constexpr (std::is_same_v<Queue, CommandQueue>) {
        require(queue.in_order(), CL_INVALID_COMMAND_QUEUE, "only a queue in order has one stream");
        return out.write<CUstream>(queue.stream());
      }
      throw Error(CL_INVALID_COMMAND_QUEUE, "a queue on the device has no stream");
    case CL_QUEUE_DEVICE_DEFAULT: {
      const Ref<DeviceQueue> present = DeviceQueue::default_of(queue.context(), queue.device());
      return out.write<cl_command_queue>(present ? handle_of(*present) : nullptr);
    }
  }
  out.unknown();
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                const cl_queue_properties* properties,
                                                                cl_int* error) {
  return created(error, context, [&] {
    object_of<Context>(context);
    object_of<Device>(device);
    return create_queue(context, device, parse(properties));
  });
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties, cl_int* error) {
  return created(error, context, [&] {
    object_of<Context>(context);
    object_of<Device>(device);
    require_flags(properties, kHostProperties, CL_INVALID_VALUE, "an unknown queue property");
    return create_queue(context, device, {.properties = properties, .size = {}, .list = {}});
  });
}

// Section 5.1: the queue is a device queue of that device and context.
cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context_handle, cl_device_id device_handle,
                                                  cl_command_queue queue_handle) {
  return guarded(context_handle, [&] {
    Context& context = object_of<Context>(context_handle);
    Device& device = object_of<Device>(device_handle);
    require(context.has(device), CL_INVALID_DEVICE, "the device is not one of the context's");
    require(offers_device_enqueue(device), CL_INVALID_OPERATION, "the device has no queues of its own");
    auto& queue = object_of<DeviceQueue>(queue_handle);
    require(&queue.context() == &context && &queue.device() == &device, CL_INVALID_COMMAND_QUEUE,
            "not a queue of that device in that context");
    queue.make_default();
  });
}

// Section 5.1, for both kinds of queues.
cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
  return guarded(queue, [&] { any_queue(queue).retain_api(); });
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  return guarded(queue, [&] {
    require(any_queue(queue).release_api(), CL_INVALID_COMMAND_QUEUE, "released more often than retained");
  });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size,
                                         void* value, size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    InfoWriter out(name, size, value, size_ret);
    if (Object* queue = find_object(handle, DeviceQueue::kType))
      return write_info(static_cast<const DeviceQueue&>(*queue), name, out);
    return write_info<CommandQueue>(object_of<CommandQueue>(handle), name, out);
  });
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties*) {
  return guarded(queue, [&] {
    object_of<CommandQueue>(queue);
    throw Error(CL_INVALID_OPERATION, "a queue keeps its properties; changing them was for OpenCL 1.0");
  });
}

// Section 5.16.
cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  // There is nothing to flush: every command is submitted as soon as it can be.
  return guarded(queue, [&] { object_of<CommandQueue>(queue).resources().require_alive(); });
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  return guarded(queue, [&] { object_of<CommandQueue>(queue).finish(); });
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                                   const cl_queue_properties_khr* properties,
                                                                   cl_int* error) {
  return clCreateCommandQueueWithProperties(context, device, properties, error);
}
