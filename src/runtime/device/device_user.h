// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>
#include <vector>

#include "base/ref.h"
#include "runtime/device/watched.h"

namespace clcuda {

// Who has work on a device, a queue: looked at by the device's monitor, and told when the device is lost.
class DeviceUser {
 public:
  // Keeps it; empty once its destructor has begun.
  virtual Ref<RefCounted> try_keep() noexcept = 0;

  // One look of the monitor's; true if there is work. What the user lets go of, and what must be asked after,
  // is added to `seen`.
  virtual bool poll(std::vector<Ref<Watched>>& seen) = 0;
  // Somebody may ask when its commands ran.
  virtual bool profiling() const = 0;

  // When the device is lost, in this order, each of all users before the next:
  virtual std::string kernels_in_flight() noexcept = 0;
  virtual void abandon() = 0;  // sets apart what nobody will run any more
  virtual void finish_abandoned(cl_int result) noexcept = 0;
  virtual void notify_lost(const std::string& message) noexcept = 0;

 protected:
  ~DeviceUser() = default;
};

}  // namespace clcuda
