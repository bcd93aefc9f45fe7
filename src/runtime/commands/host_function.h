// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/queue/command.h"

namespace clcuda {

// A command that calls an internal function on the host, after all earlier work in its stream has completed.
class HostFunction final : public Command {
 public:
  HostFunction(CommandQueue& queue, const CommandDetails& details, std::function<void()> function)
      : Command(queue, details.type), details_(details), function_(std::move(function)) {}

 private:
  bool on_host() const override { return true; }
  bool touches_host() const override { return true; }
  CommandDetails details() const override { return details_; }
  void perform(cuda::Stream& stream) override {
    stream.synchronize();
    function_();
  }
  void release_resources() noexcept override { function_ = nullptr; }

  const CommandDetails details_;
  std::function<void()> function_;
};

}  // namespace clcuda
