// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string>
#include <vector>

#include "base/ref.h"
#include "runtime/device/watched.h"

namespace clcuda {

// An object with work on a device (a queue): polled by the device's monitor, and notified when the device is lost.
class DeviceUser {
 public:
  // A reference to the user; empty once its destructor has begun.
  virtual Ref<RefCounted> try_keep() noexcept = 0;

  // One round of the monitor: returns whether there is work. Adds to `seen` the commands that the user releases and those that must be
  // polled.
  virtual bool poll(std::vector<Ref<Watched>>& seen) = 0;
  // Whether the execution times of its commands are needed: by the application (CL_QUEUE_PROFILING_ENABLE) or for the timeline.
  virtual bool takes_times() const = 0;

  // When the device is lost, these are called in this order, each for all users before the next:
  virtual std::string kernels_in_flight() noexcept = 0;       // names, for the message
  virtual void abandon() = 0;                                 // sets aside commands that can no longer run
  virtual void finish_abandoned(cl_int result) noexcept = 0;  // completes them, held ones with this status
  virtual void notify_lost(const std::string& message) noexcept = 0;  // calls the context's pfn_notify

 protected:
  ~DeviceUser() = default;
};

}  // namespace clcuda
