// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <exception>
#include <string>

#include "runtime/platform/device.h"

namespace clcuda {

// Whether a device still lives. It is lost at its first fatal CUresult and stays so: everything later is
// refused at once.
class DeviceLoss {
 public:
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // Throws Error(CL_OUT_OF_RESOURCES) if the device is lost.
  void require_alive() const;
  // To be told of every driver error seen; returns the OpenCL code for it.
  cl_int report_error(CUresult result, const char* where) noexcept;
  cl_int report_error(const std::exception& error) noexcept;

 protected:
  explicit DeviceLoss(Device& device) : device_(device) {}
  ~DeviceLoss() = default;
  // Once, by whoever saw the error, under whatever locks.
  virtual void tell_of_loss(const std::string& reason) noexcept = 0;

 private:
  void lose(const std::string& reason) noexcept;

  Device& device_;
  std::atomic<bool> lost_ = false;
};

}  // namespace clcuda
