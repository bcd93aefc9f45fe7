// SPDX-License-Identifier: Apache-2.0
#include "runtime/context.h"

#include <algorithm>
#include <utility>

#include "runtime/device.h"

namespace clcuda {

Context::Context(std::vector<Device*> devices, std::vector<cl_context_properties> properties, Notify notify,
                 void* user)
    : Object(kType, *devices.front()),
      devices_(std::move(devices)),
      kept_devices_(devices_.begin(), devices_.end()),
      properties_(std::move(properties)),
      notify_(notify),
      user_(user) {
  for (Device* device : devices_) device->context();
}

Context::~Context() {
  // Nobody else can reach the object any more. The handle is still whole while the callbacks run (section 4.4 of the
  // specification: they are called before the context's resources are freed).
  std::vector<DestructorCallback> callbacks;
  {
    MutexLock lock(mutex_);
    callbacks.swap(destructor_callbacks_);
  }
  for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback)
    callback->function(handle_of(*this), callback->user);
}

Platform& Context::platform() const { return devices_.front()->platform(); }

bool Context::has(const Device& device) const {
  return std::ranges::find(devices_, &device) != devices_.end();
}

void Context::notify(const std::string& reason) const noexcept {
  if (notify_) notify_(reason.c_str(), nullptr, 0, user_);
}

void Context::add_destructor_callback(void(CL_CALLBACK* callback)(cl_context, void*), void* user) {
  MutexLock lock(mutex_);
  destructor_callbacks_.push_back({callback, user});
}

}  // namespace clcuda
