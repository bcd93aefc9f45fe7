// SPDX-License-Identifier: Apache-2.0
// Section 4.3: sub-devices.
#include "api/sub_device.h"

#include <numeric>
#include <vector>

#include "api/entry_point.h"

namespace clcuda::api {
namespace {

// A partition scheme: the compute units of each sub-device, and the properties as the application gave them.
struct Scheme {
  std::vector<std::size_t> counts;
  std::vector<cl_device_partition_property> properties;
};

// The compute units that sub-devices can have; the device may have a few more, which are left over.
std::size_t divisible_units(const Device& device) { return device.group_count() * device.group_size(); }

// Section 4.3: a number of compute units, at most the device's.
Scheme equal_parts(const Device& device, const cl_device_partition_property* properties) {
  require(properties[1] > 0 && properties[2] == 0, CL_INVALID_VALUE,
          "not a number of compute units and the end of the list");
  const auto each = static_cast<std::size_t>(properties[1]);
  require(each <= device.compute_units(), CL_INVALID_DEVICE_PARTITION_COUNT,
          "more compute units than the device has");
  return {std::vector<std::size_t>(divisible_units(device) / each, each), {properties, properties + 3}};
}

// Section 4.3: a list of numbers of compute units, together at most the device's.
Scheme parts_by_counts(const Device& device, const cl_device_partition_property* properties) {
  const std::size_t units = device.compute_units();
  Scheme scheme;
  const cl_device_partition_property* count = properties + 1;
  for (; *count != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++count) {
    // At most as many sub-devices as possible, and in each at most the device's compute units.
    require(*count > 0 && static_cast<std::size_t>(*count) <= units &&
                scheme.counts.size() < most_sub_devices(device),
            CL_INVALID_DEVICE_PARTITION_COUNT, "a count below 0 or too large, or too many counts");
    scheme.counts.push_back(static_cast<std::size_t>(*count));
  }
  require(!scheme.counts.empty(), CL_INVALID_VALUE, "a list without counts");
  require(std::reduce(scheme.counts.begin(), scheme.counts.end()) <= units, CL_INVALID_DEVICE_PARTITION_COUNT,
          "more compute units than the device has");
  scheme.properties.assign(properties, count + 1);
  scheme.properties.push_back(0);
  return scheme;
}

// Section 4.3: one of the supported schemes, on a device that can be divided.
Scheme scheme_of(const Device& device, const cl_device_partition_property* properties) {
  require(properties != nullptr, CL_INVALID_VALUE, "no properties are given");
  const bool equally = properties[0] == CL_DEVICE_PARTITION_EQUALLY;
  require(equally || properties[0] == CL_DEVICE_PARTITION_BY_COUNTS, CL_INVALID_VALUE,
          "a partition scheme that is not offered");
  require(most_sub_devices(device) > 0, CL_DEVICE_PARTITION_FAILED, "the device cannot be divided further");
  return equally ? equal_parts(device, properties) : parts_by_counts(device, properties);
}

// Sub-devices consist of whole groups of compute units, and one equal part is no partition. If there is only one count, the error is that
// of an invalid count.
void require_possible(const Device& device, const Scheme& scheme) {
  require(scheme.properties.front() != CL_DEVICE_PARTITION_EQUALLY || scheme.counts.size() > 1,
          CL_DEVICE_PARTITION_FAILED, "there are not compute units for two such parts");
  const cl_int code =
      scheme.counts.size() == 1 ? CL_INVALID_DEVICE_PARTITION_COUNT : CL_DEVICE_PARTITION_FAILED;
  require(std::reduce(scheme.counts.begin(), scheme.counts.end()) <= divisible_units(device), code,
          "more compute units than the device can give away");
  for (const std::size_t count : scheme.counts)
    require(
        count % device.group_size() == 0, code,
        "the number of compute units is not a multiple of the smallest number that the device gives away");
}

// Owns the reference of a new device that is meant for the application: releases it unless the device is handed over.
class Newborn {
 public:
  explicit Newborn(Device* device) : device_(device) {}
  Newborn(Newborn&& other) noexcept : device_(std::exchange(other.device_, nullptr)) {}
  ~Newborn() {
    if (device_) device_->release_api();
  }
  cl_device_id hand_over() { return handle_of(*std::exchange(device_, nullptr)); }

 private:
  Device* device_;
};

std::vector<Newborn> divide(Device& device, const Scheme& scheme) {
  std::vector<Newborn> parts;
  parts.reserve(scheme.counts.size());
  std::size_t first = 0;
  for (const std::size_t count : scheme.counts) {
    const std::size_t groups = count / device.group_size();
    parts.emplace_back(new Device(device, first, groups, scheme.properties));
    first += groups;
  }
  return parts;
}

}  // namespace

cl_uint most_sub_devices(const Device& device) {
  const std::size_t groups = device.group_count();
  return groups < 2 ? 0 : static_cast<cl_uint>(groups);
}

}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clCreateSubDevices(cl_device_id handle, const cl_device_partition_property* properties,
                                      cl_uint room, cl_device_id* devices, cl_uint* count) {
  return guarded(handle, [&] {
    Device& device = object_of<Device>(handle);
    const Scheme scheme = scheme_of(device, properties);
    require(!devices || room >= scheme.counts.size(), CL_INVALID_VALUE,
            "too little room for the sub-devices");
    require_possible(device, scheme);
    if (devices)
      for (Newborn& part : divide(device, scheme)) *devices++ = part.hand_over();
    if (count) *count = static_cast<cl_uint>(scheme.counts.size());
  });
}

// The references of root devices are not counted.
cl_int CL_API_CALL clRetainDevice(cl_device_id handle) {
  return guarded(handle, [&] {
    Device& device = object_of<Device>(handle);
    if (device.parent()) device.retain_api();
  });
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id handle) {
  return guarded(handle, [&] {
    Device& device = object_of<Device>(handle);
    if (device.parent())
      require(device.release_api(), CL_INVALID_DEVICE, "released more often than retained");
  });
}
