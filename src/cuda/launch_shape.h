// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "cuda/driver_api.h"

namespace clcuda::cuda {

// A launch's configuration, without its parameters.
struct LaunchShape {
  std::array<unsigned, 3> grid;
  std::array<unsigned, 3> block;
  unsigned dynamic_shared = 0;
  // Programmatic dependent launch: the grid may be launched before the preceding kernel in the stream has completed; its code waits for
  // that (griddepcontrol.wait). Saves 1 to 4 µs. Without effect behind other work than a kernel.
  bool overlaps = false;
  // Whether the next grid may do that behind this one. Not behind one that launches others itself: no document says that the wait includes
  // those.
  bool may_be_overlapped = true;
};

// The driver's description (`extra`) of one buffer of `size` bytes with all parameters, laid out as the kernel declares them.
class LaunchParameters {
 public:
  LaunchParameters(void* buffer, std::size_t size)
      : size_(size),
        extra_{CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size_,
               CU_LAUNCH_PARAM_END} {}
  LaunchParameters(const LaunchParameters&) = delete;
  LaunchParameters& operator=(const LaunchParameters&) = delete;
  void** extra() { return extra_; }

 private:
  std::size_t size_;
  void* extra_[5];
};

}  // namespace clcuda::cuda
