// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// clEnqueueNativeKernel: calls a host function on a worker thread. Its buffers are copied to host memory before the call and back to the
// device after it.
class NativeKernel final : public Command {
 public:
  using Function = void(CL_CALLBACK*)(void*);
  // `bytes`: the function's arguments. `buffers`: MemoryUse::parameter() is the offset, in `bytes`, of the pointer to the buffer's host
  // memory.
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
