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
  // Queries the device, and completes the command (status, callbacks, dependants) if its work has ended. Returns whether it is complete.
  virtual bool poll() noexcept = 0;
  // Whether an earlier poll() or wait() has completed it.
  virtual bool complete() const noexcept = 0;
  // Waits until it is complete; returns CL_COMPLETE or a negative error code.
  virtual cl_int wait() noexcept = 0;
  // The end of the command on the device.
  struct End {
    DeviceResources& resources;
    cuda::Stream* stream;
    std::uint64_t sequence;  // increases in the order in which commands of one stream end
    const cuda::Event& event;
  };
  virtual End end() const = 0;
};

}  // namespace clcuda
