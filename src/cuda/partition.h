// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "cuda/context.h"

namespace clcuda::cuda {

// What a device can be divided into: groups of so many multiprocessors. No groups where the driver does not divide devices.
struct MultiprocessorGroups {
  unsigned size = 0;
  std::vector<CUdevResource> groups;
};
// Needs no context. Multiprocessors that would make a smaller or a larger group are left out.
MultiprocessorGroups multiprocessor_groups(const DriverTable& driver, CUdevice device);

// Some of a device's multiprocessors (CUDA's green context): what runs in a stream of it runs there and nowhere else. It shares memory,
// modules and events with the primary context. Kept for the life of the process.
class Partition {
 public:
  // Groups of one answer of multiprocessor_groups(). The context is current; throws DriverError.
  Partition(const DeviceContext& context, std::span<CUdevResource> groups);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // A stream of the non-blocking kind, which the caller owns.
  CUstream create_stream(int priority) const;

 private:
  const DriverTable& driver_;
  CUgreenCtx handle_ = nullptr;
};

}  // namespace clcuda::cuda
