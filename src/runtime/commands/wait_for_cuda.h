// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/queue/application_stream.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {

// cl_clcuda_cuda_interop: a command that waits for the work that was in the application's CUDA stream when the command was enqueued, or for
// the application's event as it was recorded then. Later uses of that event, or of a stream other than the queue's own, have no effect.
class WaitForCuda final : public Command {
 public:
  WaitForCuda(CommandQueue& queue, cl_command_type type, ForeignWork work)
      : Command(queue, type), work_(std::move(work)) {}

 private:
  void emit(cuda::Stream& stream) override { work_.hold_back(stream); }
  void release_resources() noexcept override { work_.let_go(queue()->resources()); }

  ForeignWork work_;
};

}  // namespace clcuda
