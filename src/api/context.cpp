// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/context.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"
#include "runtime/platform/device.h"
#include "runtime/platform/device_type.h"
#include "runtime/platform/platform.h"

namespace clcuda::api {
namespace {

struct ContextProperties {
  std::vector<cl_context_properties> list;  // as given, with its terminator; empty for NULL
  Platform* platform = nullptr;
};

// Section 4.4: only known names, none twice, and a valid platform.
ContextProperties checked(const cl_context_properties* properties) {
  ContextProperties result;
  if (!properties) return result;
  bool user_sync_seen = false;
  const cl_context_properties* entry = properties;
  for (; entry[0] != 0; entry += 2) {
    if (entry[0] == CL_CONTEXT_PLATFORM) {
      require(!result.platform, CL_INVALID_PROPERTY, "CL_CONTEXT_PLATFORM is given twice");
      result.platform = &object_of<Platform>(reinterpret_cast<cl_platform_id>(entry[1]));
    } else if (entry[0] == CL_CONTEXT_INTEROP_USER_SYNC) {
      require(!user_sync_seen, CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is given twice");
      require(entry[1] == CL_TRUE || entry[1] == CL_FALSE, CL_INVALID_PROPERTY,
              "CL_CONTEXT_INTEROP_USER_SYNC is neither true nor false");
      user_sync_seen = true;
    } else {
      throw unknown_property(CL_INVALID_PROPERTY, "an unknown context property",
                             static_cast<cl_ulong>(entry[0]));
    }
  }
  result.list.assign(properties, entry + 1);
  return result;
}

// Section 4.4: at least one device; all are of one platform, which is the one that the properties name.
std::vector<Device*> checked_devices(cl_uint count, const cl_device_id* handles, const Platform* platform) {
  require(handles && count > 0, CL_INVALID_VALUE, "no devices are given");
  std::vector<Device*> devices;
  for (cl_device_id handle : std::span(handles, count)) {
    Device& device = object_of<Device>(handle);
    require(!platform || &device.platform() == platform,
            devices.empty() ? CL_INVALID_PLATFORM : CL_INVALID_DEVICE,
            "a device belongs to another platform");
    platform = &device.platform();
    if (device.lost()) throw Error(CL_DEVICE_NOT_AVAILABLE, device.why_lost());
    // Section 4.4: duplicates in the list are ignored.
    if (std::ranges::find(devices, &device) == devices.end()) devices.push_back(&device);
  }
  return devices;
}

// Section 4.4: a context of a device type may have only some of its devices. The driver may refuse others a context, for example because
// they have no memory left, or after a fatal error of any device in the process.
std::vector<Device*> available(std::vector<Device*> devices) {
  std::string reason;
  std::erase_if(devices, [&](Device* device) {
    try {
      device->context();
      if (!device->lost()) return false;
      reason = device->why_lost();
    } catch (const Error& error) {
      reason = error.what();
    }
    return true;
  });
  if (devices.empty()) throw Error(CL_DEVICE_NOT_AVAILABLE, reason);
  return devices;
}

// Section 4.4: user_data is given only with a callback.
void require_notify(Context::Notify notify, const void* user) {
  require(notify || !user, CL_INVALID_VALUE, "user_data is given without pfn_notify");
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint count,
                                       const cl_device_id* devices,
                                       void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                       void* user, cl_int* error) {
  return created(error, [&] {
    require_notify(notify, user);
    require(devices && count > 0, CL_INVALID_VALUE, "no devices are given");
    ContextProperties parsed = checked(properties);
    std::vector<Device*> list = checked_devices(count, devices, parsed.platform);
    return handle_of(*new Context(std::move(list), std::move(parsed.list), notify, user));
  });
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                               void(CL_CALLBACK* notify)(const char*, const void*, size_t,
                                                                         void*),
                                               void* user, cl_int* error) {
  return created(error, [&] {
    require_notify(notify, user);
    ContextProperties parsed = checked(properties);
    // Section 4.4: if no platform is named, the implementation chooses one: the first.
    if (!parsed.platform) {
      require(!Platform::all().empty(), CL_INVALID_PLATFORM, "there is no platform");
      parsed.platform = Platform::all().front();
    }
    require(is_device_type(type), CL_INVALID_DEVICE_TYPE, "device_type names no kind of device");
    std::vector<Device*> list = devices_of_type(*parsed.platform, type);
    require(!list.empty(), CL_DEVICE_NOT_FOUND, "no device of that type");
    return handle_of(*new Context(available(std::move(list)), std::move(parsed.list), notify, user));
  });
}

// Section 4.4: reference counts, queries and destructor callbacks of contexts.
cl_int CL_API_CALL clRetainContext(cl_context handle) {
  return guarded(handle, [&] { object_of<Context>(handle).retain_api(); });
}

cl_int CL_API_CALL clReleaseContext(cl_context handle) {
  return guarded(handle, [&] {
    require(object_of<Context>(handle).release_api(), CL_INVALID_CONTEXT,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clGetContextInfo(cl_context handle, cl_context_info name, size_t size, void* value,
                                    size_t* size_ret) {
  return guarded(handle, [&] {
    const Context& context = object_of<Context>(handle);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_CONTEXT_REFERENCE_COUNT:
        return out.write<cl_uint>(context.api_count());
      case CL_CONTEXT_NUM_DEVICES:
        return out.write<cl_uint>(static_cast<cl_uint>(context.devices().size()));
      case CL_CONTEXT_DEVICES: {
        std::vector<cl_device_id> devices;
        for (const Device* device : context.devices()) devices.push_back(handle_of(*device));
        return out.array(devices);
      }
      case CL_CONTEXT_PROPERTIES:
        return out.array(context.properties());
      default:
        return out.unknown();
    }
  });
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context handle,
                                                  void(CL_CALLBACK* callback)(cl_context, void*),
                                                  void* user) {
  return guarded(handle, [&] {
    Context& context = object_of<Context>(handle);
    require(callback != nullptr, CL_INVALID_VALUE, "pfn_notify is null");
    context.destructor_callbacks().add(callback, user);
  });
}
