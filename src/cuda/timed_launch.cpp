// SPDX-License-Identifier: Apache-2.0
#include "cuda/timed_launch.h"

#include <cstdlib>

namespace clcuda::cuda {
namespace {

// Profilers show a graph as one piece of work, without its kernel's name. They are loaded into the process by this variable.
bool profiler_is_loaded() noexcept {
  static const bool loaded = std::getenv("CUDA_INJECTION64_PATH") != nullptr;
  return loaded;
}

}  // namespace

TimedLaunch::TimedLaunch(const DeviceContext& context) : context_(context), driver_(context.driver()) {
  context_.module_users().add(*this);
}

TimedLaunch::~TimedLaunch() {
  context_.module_users().remove(*this);
  MutexLock lock(mutex_);
  destroy();
}

bool TimedLaunch::submit(CUstream stream, const Event& start, const Function& function,
                         const LaunchShape& shape, LaunchParameters& parameters, const Event& end) noexcept {
  if (profiler_is_loaded()) return false;
  MutexLock lock(mutex_);
  if (unusable_) return false;
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = function.handle();
  kernel.gridDimX = shape.grid[0];
  kernel.gridDimY = shape.grid[1];
  kernel.gridDimZ = shape.grid[2];
  kernel.blockDimX = shape.block[0];
  kernel.blockDimY = shape.block[1];
  kernel.blockDimZ = shape.block[2];
  kernel.sharedMemBytes = shape.dynamic_shared;
  kernel.extra = parameters.extra();
  const bool made = executable_ ? update(start, kernel, end) : create(start, kernel, end);
  if (!made) {
    destroy();
    return false;
  }
  module_ = function.module();
  if (!first_module_) first_module_ = module_;
  return driver_.cuGraphLaunch(executable_, stream) == CUDA_SUCCESS;
}

bool TimedLaunch::create(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel,
                         const Event& end) noexcept {
  if (driver_.cuGraphCreate(&graph_, 0) == CUDA_SUCCESS &&
      driver_.cuGraphAddEventRecordNode(&start_, graph_, nullptr, 0, start.handle()) == CUDA_SUCCESS &&
      driver_.cuGraphAddKernelNode(&kernel_, graph_, &start_, 1, &kernel) == CUDA_SUCCESS &&
      driver_.cuGraphAddEventRecordNode(&end_, graph_, &kernel_, 1, end.handle()) == CUDA_SUCCESS) {
    const CUresult result = driver_.cuGraphInstantiate(&executable_, graph_, 0);
    if (result == CUDA_SUCCESS) return true;
    unusable_ = result != CUDA_ERROR_OUT_OF_MEMORY;
  }
  return false;
}

bool TimedLaunch::update(const Event& start, const CUDA_KERNEL_NODE_PARAMS& kernel,
                         const Event& end) noexcept {
  return driver_.cuGraphExecKernelNodeSetParams(executable_, kernel_, &kernel) == CUDA_SUCCESS &&
         driver_.cuGraphExecEventRecordNodeSetEvent(executable_, start_, start.handle()) == CUDA_SUCCESS &&
         driver_.cuGraphExecEventRecordNodeSetEvent(executable_, end_, end.handle()) == CUDA_SUCCESS;
}

void TimedLaunch::forget(CUmodule module) noexcept {
  MutexLock lock(mutex_);
  if (module == first_module_ || module == module_) destroy();
}

void TimedLaunch::destroy() noexcept {
  if (executable_) driver_.cuGraphExecDestroy(executable_);
  if (graph_) driver_.cuGraphDestroy(graph_);
  executable_ = nullptr;
  graph_ = nullptr;
  first_module_ = module_ = nullptr;
}

}  // namespace clcuda::cuda
