// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mutex.h"
#include "cuda/context.h"
#include "cuda/event.h"
#include "cuda/launch_shape.h"
#include "cuda/module.h"
#include "cuda/module_users.h"

namespace clcuda::cuda {

// A kernel between two events, submitted to a stream by one call, as a graph. With a call for each of the three, a device without other
// work records the first event and waits for the host until the kernel arrives: 2 µs, or 10 if host and device were idle for a while, that
// would count as the kernel's. The one call takes the host less time than the three, too; but twice as long while the device has work, when
// it is of no use.
//
// For one stream.
class TimedLaunch final : public ModuleUser {
 public:
  explicit TimedLaunch(const DeviceContext& context);
  ~TimedLaunch();
  TimedLaunch(const TimedLaunch&) = delete;
  TimedLaunch& operator=(const TimedLaunch&) = delete;

  // The stream has no work left, and its context is current. Returns false if nothing has been submitted, whatever the reason: the caller,
  // who then makes three calls, gets their errors.
  bool submit(CUstream stream, const Event& start, const Function& function, const LaunchShape& shape,
              LaunchParameters& parameters, const Event& end) noexcept;
  // Destroys the graph if it names one of the module's kernels.
  void forget(CUmodule module) noexcept override;

 private:
  bool create(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel, const Event& end) noexcept
      REQUIRES(mutex_);
  bool update(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel, const Event& end) noexcept
      REQUIRES(mutex_);
  void destroy() noexcept REQUIRES(mutex_);

  const DeviceContext& context_;
  const DriverTable& driver_;
  Mutex mutex_ LOCK_RANK(timed_launch);
  CUgraph graph_ GUARDED_BY(mutex_) = nullptr;
  CUgraphNode start_ GUARDED_BY(mutex_) = nullptr, kernel_ GUARDED_BY(mutex_) = nullptr,
                     end_ GUARDED_BY(mutex_) = nullptr;
  CUgraphExec executable_ GUARDED_BY(mutex_) = nullptr;
  // Those of the kernels in the graph, which keeps the first one, and in its executable form.
  CUmodule first_module_ GUARDED_BY(mutex_) = nullptr, module_ GUARDED_BY(mutex_) = nullptr;
  bool unusable_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda::cuda
