// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "cuda/context.h"

namespace clcuda::cuda {

// Groups of `size` multiprocessors each, into which a device can be divided. Empty if the driver cannot partition the device.
struct MultiprocessorGroups {
  unsigned size = 0;
  std::vector<CUdevResource> groups;
};
// Needs no context. Remaining multiprocessors, too few for a group, are left out.
MultiprocessorGroups multiprocessor_groups(const DriverTable& driver, CUdevice device);

// Some of a device's multiprocessors (a CUDA green context): work in its streams runs on these only. It
// shares memory, modules and events with the primary context. Kept for the life of the process.
class Partition {
 public:
  // `groups` are from one result of multiprocessor_groups(). The context is current; throws DriverError.
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
