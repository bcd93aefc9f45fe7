// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/current_context.h"

#include <optional>
#include <utility>

#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/primary_context.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {
namespace {

struct Current {
  Device* device = nullptr;
  Ref<Context> context;  // as last looked up; replaced once it has been destroyed
};

Current& current() {
  thread_local Current current;
  return current;
}

Device& device_of(CUcontext handle) {
  const std::optional<int> ordinal = Device::ordinal_of(handle);
  const std::size_t count = Process::get().devices().size();
  require(ordinal && static_cast<std::size_t>(*ordinal) < count, CUDA_ERROR_INVALID_CONTEXT);
  return Process::get().device(*ordinal);
}

Ref<Context> context_of(const Device& device) { return Process::get().primary_context(device).context(); }

}  // namespace

Context& current_context_unchecked() {
  Current& mine = current();
  require(mine.device != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  if (!mine.context || &mine.context->device() != mine.device ||
      mine.context->status() == CUDA_ERROR_CONTEXT_IS_DESTROYED) {
    mine.context = context_of(*mine.device);
    require(static_cast<bool>(mine.context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }
  return *mine.context;
}

Context& current_context() {
  Context& context = current_context_unchecked();
  context.require_usable();
  return context;
}

Ref<Context> context_of(CUcontext handle) {
  Ref<Context> context = context_of(device_of(handle));
  require(static_cast<bool>(context), CUDA_ERROR_INVALID_CONTEXT);
  return context;
}

CUcontext current_context_handle() noexcept {
  const Device* device = current().device;
  return device ? device->context_handle() : nullptr;
}

void set_current_context(CUcontext handle) {
  if (!handle) {
    current() = {};
    return;
  }
  Device& device = device_of(handle);
  Current& mine = current();
  if (mine.device == &device) return;
  Ref<Context> active = context_of(device);
  require(static_cast<bool>(active), CUDA_ERROR_INVALID_CONTEXT);
  mine = {&device, std::move(active)};
}

}  // namespace clcuda::ptx::driver
