// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"

// Handles of primary contexts, and which context is current in a thread.
namespace clcuda::ptx::driver {
namespace {

// A number that is no address, so that it is told from a GPU's context and from anything else.
constexpr std::uint64_t kHandleBase = 0xc1cd'a000'0000'0001;

struct Current {
  Device* device = nullptr;
  Ref<Context> context;  // as last seen; another one once the device's has been destroyed and made anew
};

Current& current() {
  thread_local Current current;
  return current;
}

Device& device_of(CUcontext handle) {
  const std::uint64_t index = reinterpret_cast<std::uint64_t>(handle) - kHandleBase;
  require(index < Process::get().devices().size(), CUDA_ERROR_INVALID_CONTEXT);
  return Process::get().device(static_cast<int>(index));
}

}  // namespace

CUcontext Device::handle() const {
  return reinterpret_cast<CUcontext>(kHandleBase + static_cast<std::uint64_t>(ordinal_));
}

Context& current_context_unchecked() {
  Current& mine = current();
  require(mine.device != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  if (!mine.context || &mine.context->device() != mine.device ||
      mine.context->status() == CUDA_ERROR_CONTEXT_IS_DESTROYED) {
    mine.context = mine.device->context();
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
  Ref<Context> context = device_of(handle).context();
  require(static_cast<bool>(context), CUDA_ERROR_INVALID_CONTEXT);
  return context;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return entry([&] {
    CUcontext& out = required(context);
    Device& found = Process::get().device(device);
    found.retain();
    out = found.handle();
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return entry([&] {
    Process::get().device(device).release();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return entry([&] {
    const Device* device = current().device;
    required(context) = device ? device->handle() : nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return entry([&] {
    if (!context) {
      current() = {};
      return CUDA_SUCCESS;
    }
    Device& device = device_of(context);
    Current& mine = current();
    if (mine.device == &device) return CUDA_SUCCESS;
    Ref<Context> active = device.context();
    require(static_cast<bool>(active), CUDA_ERROR_INVALID_CONTEXT);
    mine = {&device, std::move(active)};
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
