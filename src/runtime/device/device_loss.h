// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <exception>
#include <string>

#include "runtime/platform/device.h"

namespace clcuda {

// Whether a device is lost: from the first fatal CUresult of its context on (cuda::is_fatal), for the life of the process. Later operations
// are refused. Calls that involve the contexts of two devices return the error of the one that has failed, so that the other one's context
// is asked before its device counts as lost.
class DeviceLoss {
 public:
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // Throws Error(CL_OUT_OF_RESOURCES) if the device is lost.
  void require_alive() const;
  // Called with every driver error; marks the device as lost if the error is fatal and its context returns such errors from now on. Returns
  // the OpenCL code for the error.
  cl_int report_error(CUresult result, const char* where) noexcept;
  cl_int report_error(const std::exception& error) noexcept;

 protected:
  explicit DeviceLoss(Device& device) : device_(device) {}
  ~DeviceLoss() = default;
  // Called once, on the thread that reports the fatal error; the caller may hold any locks.
  virtual void on_lost(const std::string& reason) noexcept = 0;

 private:
  bool has_failed() const noexcept;
  void lose(const std::string& reason) noexcept;

  Device& device_;
  std::atomic<bool> lost_ = false;
};

}  // namespace clcuda
