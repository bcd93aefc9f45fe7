// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "cuda/stream.h"
#include "runtime/memory/takeovers.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// The uses of a command's, made resident for its emission:
//
//   const ResidentUses resident(command.uses(), device, stream);
//   command.emit(stream);
//
// The command may be refused by the driver, after part of its work has been submitted. During stack unwinding, the destructor waits for the
// stream, so that memory declared before it can be released, and gives back what was taken over from other devices: there the contents are
// as they were. Until then other commands see the state after the emission. If validity changed only then, commands of one device that use
// different parts of a range at the same time would copy from other devices over each other's results.
class ResidentUses {
 public:
  // The CUDA context is current. `device` is Context::memory_index().
  ResidentUses(std::span<MemoryUse> uses, std::size_t device, cuda::Stream& stream) : drain_(stream) {
    for (MemoryUse& use : uses) use.make_resident(device, stream, taken_);
  }

 private:
  Takeovers taken_;
  // Destroyed first: nothing is given back while work of the command may run.
  const cuda::DrainOnFailure drain_;
};

}  // namespace clcuda
