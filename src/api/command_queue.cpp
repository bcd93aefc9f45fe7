// SPDX-License-Identifier: Apache-2.0
#include "runtime/command_queue.h"

#include "api/entry_point.h"
#include "api/info_writer.h"

namespace clcuda::api {
namespace {

constexpr cl_command_queue_properties kHostProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceProperties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

cl_command_queue create_queue(cl_context context_handle, cl_device_id device_handle,
                              cl_command_queue_properties properties, std::vector<cl_queue_properties> list) {
  Context& context = object_of<Context>(context_handle);
  Device& device = object_of<Device>(device_handle);
  require(context.has(device), CL_INVALID_DEVICE, "the device is not one of the context's");
  require((properties & ~(kHostProperties | kDeviceProperties)) == 0, CL_INVALID_VALUE,
          "an unknown queue property");
  require((properties & kDeviceProperties) == 0, CL_INVALID_QUEUE_PROPERTIES,
          "the device has no queues of its own");
  return handle_of(*new CommandQueue(context, device, properties, std::move(list)));
}

// Splits a property list; the list itself is kept for CL_QUEUE_PROPERTIES_ARRAY, its end included.
cl_command_queue_properties parse(const cl_queue_properties* list, std::vector<cl_queue_properties>& kept) {
  cl_command_queue_properties properties = 0;
  if (!list) return properties;
  bool seen = false;
  for (; *list; list += 2) {
    // Section 5.1: CL_INVALID_VALUE for properties that are not known or are given twice; a size is for device queues only.
    if (*list == CL_QUEUE_SIZE)
      throw Error(CL_INVALID_QUEUE_PROPERTIES, "CL_QUEUE_SIZE is for queues on the device");
    require(*list == CL_QUEUE_PROPERTIES && !seen, CL_INVALID_VALUE, "an unknown or repeated queue property");
    seen = true;
    properties = static_cast<cl_command_queue_properties>(list[1]);
    kept.insert(kept.end(), {list[0], list[1]});
  }
  kept.push_back(0);
  return properties;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                const cl_queue_properties* properties,
                                                                cl_int* error) {
  return created(error, [&] {
    object_of<Context>(context);
    object_of<Device>(device);
    std::vector<cl_queue_properties> list;
    const cl_command_queue_properties flags = parse(properties, list);
    return create_queue(context, device, flags, std::move(list));
  });
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties, cl_int* error) {
  return created(error, [&] {
    object_of<Context>(context);
    object_of<Device>(device);
    require((properties & ~kHostProperties) == 0, CL_INVALID_VALUE, "an unknown queue property");
    return create_queue(context, device, properties, {});
  });
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context_handle, cl_device_id device_handle,
                                                  cl_command_queue) {
  return guarded([&] {
    Context& context = object_of<Context>(context_handle);
    require(context.has(object_of<Device>(device_handle)), CL_INVALID_DEVICE,
            "the device is not one of the context's");
    throw Error(CL_INVALID_OPERATION, "the device has no queues of its own");
  });
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
  return guarded([&] { object_of<CommandQueue>(queue).retain_api(); });
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  return guarded([&] {
    require(object_of<CommandQueue>(queue).release_api(), CL_INVALID_COMMAND_QUEUE,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size,
                                         void* value, size_t* size_ret) {
  return guarded([&]() -> InfoWriter::Written {
    const CommandQueue& queue = object_of<CommandQueue>(handle);
    InfoWriter out(size, value, size_ret);
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
        throw Error(CL_INVALID_COMMAND_QUEUE, "only a queue on the device has a size");
      case CL_QUEUE_DEVICE_DEFAULT:
        return out.write<cl_command_queue>(nullptr);
    }
    out.unknown();
  });
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties*) {
  return guarded([&] {
    object_of<CommandQueue>(queue);
    throw Error(CL_INVALID_OPERATION, "a queue keeps its properties; changing them was for OpenCL 1.0");
  });
}

cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  // Every command that can be submitted is, as soon as it can.
  return guarded([&] { object_of<CommandQueue>(queue).engine().require_alive(); });
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  return guarded([&] { object_of<CommandQueue>(queue).finish(); });
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                                   const cl_queue_properties_khr* properties,
                                                                   cl_int* error) {
  return clCreateCommandQueueWithProperties(context, device, properties, error);
}
