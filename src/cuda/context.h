// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"
#include "cuda/waiting.h"

namespace clcuda::cuda {

// The primary context of one device, retained. Its flags and limits are the host program's; we only use it.
class DeviceContext {
 public:
  DeviceContext(const DriverTable& driver, CUdevice device, Waiting waiting);  // retains; throws Error
  ~DeviceContext();  // releases; tolerates a driver that is shutting down
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const DriverTable& driver() const { return driver_; }
  CUdevice device() const { return device_; }
  Waiting waiting() const { return waiting_; }
  CUcontext handle() const { return context_; }

 private:
  const DriverTable& driver_;
  const CUdevice device_;
  const Waiting waiting_;
  CUcontext context_ = nullptr;
};

// Makes a context current for a scope and leaves the caller's as it was.
//
//   Current current(device.context());
class Current {
 public:
  explicit Current(const DeviceContext& context);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const DriverTable& driver_;
  CUcontext previous_ = nullptr;
  bool restore_ = false;
};

}  // namespace clcuda::cuda
