// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/driver/command.h"
#include "ptx/driver/grid.h"

namespace clcuda::ptx::driver {

// A launch as a command of a stream, executed when it is at the stream's head.
class LaunchCommand final : public Command, private Grid {
 public:
  LaunchCommand(const Stream& stream, Ref<Function> function, const Shape& shape);
  using Grid::parameters;

  Progress start(Stream& stream) noexcept override;

 private:
  Grid* complete() noexcept override;
  Stream* stream_ = nullptr;  // exists as long as a command is at its head
};

// Copies a kernel's parameters as a launch is given them: `parameters` has the address of each, or `extra` a buffer of all.
void copy_parameters(std::byte* to, const KernelDescription& kernel, void** parameters, void** extra);

}  // namespace clcuda::ptx::driver
