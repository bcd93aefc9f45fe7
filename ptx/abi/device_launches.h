// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ptx/abi/kernel_description.h"

namespace clcuda::ptx {

// What a running grid can ask of the driver: launches of kernels of the same program from device code. Called by the threads that run the
// grid's blocks, several at a time.
class DeviceLaunches {
 public:
  // Memory for the parameters of a launch, or null: no kernel at that address, an impossible grid, or too many launches pending.
  // `function` is a kernel_address(), `shared` in bytes.
  virtual void* parameter_buffer(std::uint64_t function, const std::array<std::uint32_t, 3>& grid,
                                 const std::array<std::uint32_t, 3>& block,
                                 std::uint32_t shared) noexcept = 0;
  // Launches the kernel for which the parameter buffer was made, at once or (`tail`) after the grid and all that it launches. False if it
  // is no parameter buffer of this grid.
  virtual bool launch(void* parameters, bool tail) noexcept = 0;
  virtual const KernelDescription* description(std::uint64_t function) const noexcept = 0;

 protected:
  ~DeviceLaunches() = default;
};

}  // namespace clcuda::ptx
