// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/driver_table.h"
#include "cuda/event.h"
#include "cuda/launch_shape.h"
#include "cuda/module.h"

namespace clcuda::cuda {

// A kernel between two events, submitted to a stream by one call, as a graph. With a call for each of the three, a device without other
// work records the first event and waits for the host until the kernel arrives: 2 µs, or 10 if host and device were idle for a while, that
// would count as the kernel's. The one call takes the host less time than the three, too; but twice as long while the device has work, when
// it is of no use.
//
// For one stream, and one thread at a time.
class TimedLaunch {
 public:
  explicit TimedLaunch(const DriverTable& driver) noexcept : driver_(driver) {}
  ~TimedLaunch();
  TimedLaunch(const TimedLaunch&) = delete;
  TimedLaunch& operator=(const TimedLaunch&) = delete;

  // The stream has no work left, and its context is current. Returns false if nothing has been submitted, whatever the reason: the caller,
  // who then makes three calls, gets their errors.
  bool submit(CUstream stream, const Event& start, const Function& function, const LaunchShape& shape,
              LaunchParameters& parameters, const Event& end) noexcept;

 private:
  bool create(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel, const Event& end) noexcept;
  bool update(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel, const Event& end) noexcept;
  void destroy() noexcept;

  const DriverTable& driver_;
  CUgraph graph_ = nullptr;
  CUgraphNode start_ = nullptr, kernel_ = nullptr, end_ = nullptr;
  CUgraphExec executable_ = nullptr;
  bool unusable_ = false;
};

}  // namespace clcuda::cuda
