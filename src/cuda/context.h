// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"
#include "cuda/module_users.h"
#include "cuda/waiting.h"

namespace clcuda::cuda {

class HostRegistrations;

// The retained primary context of one device. Its flags and limits belong to the application and are not changed.
class DeviceContext {
 public:
  // Retains the context; throws DriverError. `registrations` are those of the driver.
  DeviceContext(const DriverTable& driver, CUdevice device, Waiting waiting,
                HostRegistrations& registrations);
  ~DeviceContext();  // releases it, also if the driver is shutting down
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const DriverTable& driver() const { return driver_; }
  CUdevice device() const { return device_; }
  Waiting waiting() const { return waiting_; }
  CUcontext handle() const { return context_; }
  HostRegistrations& registrations() const { return registrations_; }
  ModuleUsers& module_users() const { return module_users_; }

 private:
  const DriverTable& driver_;
  const CUdevice device_;
  const Waiting waiting_;
  HostRegistrations& registrations_;
  mutable ModuleUsers module_users_;
  CUcontext context_ = nullptr;
};

// Makes a context current during its lifetime, then restores the caller's.
//
//   Current current(device.context());
class Current {
 public:
  explicit Current(const DeviceContext& context);  // throws DriverError
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const DriverTable& driver_;
  CUcontext previous_ = nullptr;
  bool restore_ = false;
};

}  // namespace clcuda::cuda
