// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/queue/command.h"

namespace clcuda {

// cl_clcuda_cuda_interop: comes behind what the application has put into a stream of its own. `reached` was recorded there, or behind its
// event, when the command was enqueued: what the application does with either later is of no concern.
class WaitForCuda final : public Command {
 public:
  WaitForCuda(CommandQueue& queue, cl_command_type type, cuda::Event reached)
      : Command(queue, type), reached_(std::move(reached)) {}

 private:
  void emit(cuda::Stream& stream) override { stream.wait(reached_); }

  const cuda::Event reached_;
};

}  // namespace clcuda
