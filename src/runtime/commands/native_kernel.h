// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// clEnqueueNativeKernel: a host function, called by a worker thread. Its buffers are brought into host memory
// for it and go back to the device afterwards.
class NativeKernel final : public Command {
 public:
  using Function = void(CL_CALLBACK*)(void*);
  // `buffers`: as arguments of a kernel, for where pointers to them go among the bytes.
  NativeKernel(CommandQueue& queue, Function function, std::vector<std::byte> bytes,
               std::vector<MemoryUse> buffers)
      : Command(queue, CL_COMMAND_NATIVE_KERNEL), function_(function), bytes_(std::move(bytes)) {
    uses_ = std::move(buffers);
  }

 private:
  bool on_host() const override { return true; }
  bool touches_host() const override { return true; }
  void perform(cuda::Stream& stream) override;

  const Function function_;
  std::vector<std::byte> bytes_;
};

}  // namespace clcuda
