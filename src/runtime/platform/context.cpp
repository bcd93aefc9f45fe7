// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/context.h"

#include <algorithm>
#include <utility>

#include "runtime/platform/application_call.h"
#include "runtime/platform/device.h"

namespace clcuda {

Context::Context(std::vector<Device*> devices, std::vector<cl_context_properties> properties, Notify notify,
                 void* user)
    : Object(kType, *devices.front()),
      devices_(std::move(devices)),
      kept_devices_(devices_.begin(), devices_.end()),
      properties_(std::move(properties)),
      notify_(notify),
      user_(user) {
  stop_application_calls_at_process_end();
  for (Device* device : devices_) device->context();
  MutexLock lock(mutex_);
  lost_.reserve(devices_.size());
}

Context::~Context() {
  if (auto tell = destructor_callbacks_.take(*this)) call_application(tell);
}

Platform& Context::platform() const { return devices_.front()->platform(); }

bool Context::has(const Device& device) const {
  return std::ranges::find(devices_, &device) != devices_.end();
}

std::size_t Context::memory_index(const Device& device) const {
  const auto shares = [&](const Device* other) { return &other->root() == &device.root(); };
  return static_cast<std::size_t>(std::ranges::find_if(devices_, shares) - devices_.begin());
}

void Context::notify_lost(const Device& device, const std::string& message) noexcept {
  {
    MutexLock lock(mutex_);
    if (std::ranges::find(lost_, &device) != lost_.end()) return;
    lost_.push_back(&device);  // the constructor has reserved room
  }
  notify(message);
}

void Context::notify(const std::string& reason) const noexcept {
  if (notify_) call_application([&] { notify_(reason.c_str(), nullptr, 0, user_); });
}

}  // namespace clcuda
