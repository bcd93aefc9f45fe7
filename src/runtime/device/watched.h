// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstdint>

#include "base/ref_list.h"
#include "cuda/event.h"
#include "cuda/stream.h"

namespace clcuda {

class DeviceResources;

// A command that has been submitted, for whoever observes its end or waits for it.
class Watched : public Listed {
 public:
  // True once it is over. Looks at the device, and does what comes at its end.
  virtual bool poll() noexcept = 0;
  // The same of what has been seen so far.
  virtual bool complete() const noexcept = 0;
  // Until it is over; returns the result, CL_COMPLETE or an error.
  virtual cl_int wait() noexcept = 0;
  struct End {
    DeviceResources& resources;
    cuda::Stream* stream;
    std::uint64_t sequence;  // of commands in one stream, the order in which they end
    const cuda::Event& event;
  };
  virtual End end() const = 0;
};

}  // namespace clcuda
