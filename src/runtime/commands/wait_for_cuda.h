// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/queue/command.h"

namespace clcuda {

// cl_clcuda_cuda_interop: a command that waits for the work that was in the application's CUDA stream when the command was enqueued, or for
// the application's event as it was recorded then. `reached` was recorded after it. Later uses of that stream or event have no effect.
class WaitForCuda final : public Command {
 public:
  WaitForCuda(CommandQueue& queue, cl_command_type type, cuda::Event reached)
      : Command(queue, type), reached_(std::move(reached)) {}

 private:
  void emit(cuda::Stream& stream) override { stream.wait(reached_); }

  const cuda::Event reached_;
};

}  // namespace clcuda
