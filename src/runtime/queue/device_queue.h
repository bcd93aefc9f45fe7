// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/platform/context.h"

namespace clcuda {

class Device;

// A command queue on the device, into which kernels enqueue: a handle and its properties. The tasks are stored in memory of the launch that
// enqueues them (builtins/device_tasks.h), so device code only distinguishes a queue from none.
class DeviceQueue final : public Object {
 public:
  using Handle = cl_command_queue;
  static constexpr ObjectType kType = ObjectType::device_queue;
  static constexpr cl_int kInvalid = CL_INVALID_COMMAND_QUEUE;

  DeviceQueue(Context& context, Device& device, cl_command_queue_properties properties, cl_uint size,
              std::vector<cl_queue_properties> property_list);
  ~DeviceQueue() override;

  Context& context() const { return *context_; }
  Device& device() const { return device_; }
  cl_command_queue_properties properties() const { return properties_; }
  const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  cl_uint size() const { return size_; }
  // The value of a queue_t in device code; not 0.
  std::uint64_t number() const { return number_; }

  // The default queue of a device in a context, or empty. A reference, since another thread may release the queue meanwhile.
  static Ref<DeviceQueue> default_of(const Context& context, const Device& device);
  // Makes this the default queue of its device in its context, instead of the previous one.
  void make_default();
  // Makes this the default queue unless there is one; returns the default queue.
  Ref<DeviceQueue> default_or_this();

 private:
  const Ref<Context> context_;
  Device& device_;
  const cl_command_queue_properties properties_;
  const std::vector<cl_queue_properties> property_list_;
  const cl_uint size_;
  const std::uint64_t number_;
};

}  // namespace clcuda
