// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstdint>

#include "base/ref_list.h"
#include "cuda/event.h"
#include "cuda/stream.h"

namespace clcuda {

class DeviceResources;

// The interface of a submitted command for code that observes or waits for its completion.
class Watched : public Listed {
 public:
  // Queries the device, and completes the command (status, callbacks, dependants) if its work has ended, or leaves that to another thread
  // if it may take long. Returns whether the command is complete.
  virtual bool poll() noexcept = 0;
  // Whether another thread completes it, so that it need not be polled any more. Not if the device has been lost since: that thread may be
  // held up.
  virtual bool completes_elsewhere() const noexcept = 0;
  // For a command whose work on the device has ended: completes it unless that may take long. Returns false if it may.
  virtual bool complete_quickly() noexcept = 0;
  // Whether an earlier poll() or wait() has completed it.
  virtual bool complete() const noexcept = 0;
  // Waits until it is complete; returns CL_COMPLETE or a negative error code.
  virtual cl_int wait() noexcept = 0;
  // The end of the command on the device.
  struct End {
    DeviceResources& resources;
    cuda::Stream* stream;
    // Increases in the order in which commands of one stream end, which in an out-of-order queue is not that in which they were enqueued.
    std::uint64_t sequence;
    const cuda::Event& event;
  };
  virtual End end() const = 0;
};

}  // namespace clcuda
