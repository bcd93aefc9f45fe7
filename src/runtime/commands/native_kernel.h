// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/memory/buffer.h"
#include "runtime/queue/command.h"

namespace clcuda {

// clEnqueueNativeKernel: a host function, called by a worker thread. Its buffers are brought into host memory for it and go back to
// the device afterwards.
class NativeKernel final : public Command {
 public:
  using Function = void(CL_CALLBACK*)(void*);
  struct Argument {
    Ref<Buffer> buffer;
    std::size_t place;  // in the argument bytes, of the pointer
  };
  NativeKernel(CommandQueue& queue, Function function, std::vector<std::byte> bytes,
               std::vector<Argument> arguments)
      : Command(queue, CL_COMMAND_NATIVE_KERNEL),
        function_(function),
        bytes_(std::move(bytes)),
        arguments_(std::move(arguments)) {}

 private:
  bool on_host() const override { return true; }
  bool touches_host() const override { return true; }
  void perform(cuda::Stream& stream) override;
  void release_resources() noexcept override { arguments_.clear(); }

  const Function function_;
  std::vector<std::byte> bytes_;
  std::vector<Argument> arguments_;
};

}  // namespace clcuda
