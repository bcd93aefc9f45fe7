// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ptx/abi/kernel_description.h"

namespace clcuda::ptx {

// What a running grid can ask of whoever runs it: kernels of the same program, launched from device code.
// Called from the threads that run its blocks.
class DeviceLaunches {
 public:
  // Memory for the parameters of a launch, or null: no such kernel, no such grid, too many launches pending.
  virtual void* parameter_buffer(std::uint64_t function, const std::array<std::uint32_t, 3>& grid,
                                 const std::array<std::uint32_t, 3>& block,
                                 std::uint32_t shared) noexcept = 0;
  // Launches what a parameter buffer was asked for, at once or (`tail`) behind the grid and all that it
  // launches; false if the buffer is none of this grid's.
  virtual bool launch(void* parameters, bool tail) noexcept = 0;
  virtual const KernelDescription* description(std::uint64_t function) const noexcept = 0;

 protected:
  ~DeviceLaunches() = default;
};

}  // namespace clcuda::ptx
