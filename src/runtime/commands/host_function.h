// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/queue/command.h"

namespace clcuda {

// Something of ours done on the host in its turn: what is recorded ahead of it has ended when it begins.
class HostFunction final : public Command {
 public:
  HostFunction(CommandQueue& queue, cl_command_type type, std::function<void()> function)
      : Command(queue, type), function_(std::move(function)) {}

 private:
  bool on_host() const override { return true; }
  bool touches_host() const override { return true; }
  void perform(cuda::Stream& stream) override {
    stream.synchronize();
    function_();
  }
  void release_resources() noexcept override { function_ = nullptr; }

  std::function<void()> function_;
};

}  // namespace clcuda
