// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/device.h"

#include <algorithm>
#include <vector>

#include "api/entry_point.h"
#include "base/host_time.h"
#include "runtime/platform/device_type.h"
#include "runtime/platform/platform.h"

using namespace clcuda;
using namespace clcuda::api;

// Section 4.2: a known type, room for at least one device if a list is given, and at least one of the two results requested.
cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id handle, cl_device_type type, cl_uint count,
                                  cl_device_id* devices, cl_uint* available) {
  return guarded(handle, [&] {
    // Section 4.2: what a null platform means is implementation-defined; here it is invalid.
    Platform& platform = object_of<Platform>(handle);
    require(is_device_type(type), CL_INVALID_DEVICE_TYPE, "device_type names no kind of device");
    require(devices || available, CL_INVALID_VALUE, "neither devices nor num_devices is given");
    require(!devices || count > 0, CL_INVALID_VALUE, "num_entries is 0 and devices is given");
    const std::vector<Device*> found = devices_of_type(platform, type);
    if (available) *available = static_cast<cl_uint>(found.size());
    require(!found.empty(), CL_DEVICE_NOT_FOUND, "no device of that type");
    if (devices)
      for (std::size_t i = 0; i < std::min<std::size_t>(count, found.size()); ++i)
        devices[i] = handle_of(*found[i]);
  });
}

cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id handle, const cl_device_partition_property_ext*,
                                         cl_uint, cl_device_id*, cl_uint*) {
  return guarded(handle, [&] {
    object_of<Device>(handle);
    throw Error(CL_INVALID_VALUE, "cl_ext_device_fission is not offered");
  });
}

cl_int CL_API_CALL clRetainDeviceEXT(cl_device_id handle) { return clRetainDevice(handle); }
cl_int CL_API_CALL clReleaseDeviceEXT(cl_device_id handle) { return clReleaseDevice(handle); }

// Section 4.2: both clocks are the host's.
cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id handle, cl_ulong* device_time, cl_ulong* host) {
  return guarded(handle, [&] {
    object_of<Device>(handle);
    require(device_time && host, CL_INVALID_VALUE, "a timestamp pointer is null");
    *device_time = *host = host_time();
  });
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id handle, cl_ulong* host) {
  return guarded(handle, [&] {
    object_of<Device>(handle);
    require(host != nullptr, CL_INVALID_VALUE, "host_timestamp is null");
    *host = host_time();
  });
}
