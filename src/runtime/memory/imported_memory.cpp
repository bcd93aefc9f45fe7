// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/imported_memory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/platform/context.h"
#include "runtime/platform/device.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

std::vector<Device*> roots_of(const Context& context) {
  std::vector<Device*> roots;
  for (Device* device : context.devices())
    if (std::ranges::find(roots, &device->root()) == roots.end()) roots.push_back(&device->root());
  return roots;
}

// On destruction, unregisters unused memory, unless one of the devices is busy: that device then keeps a new object of this class until it
// is idle (Device::discard).
class UnregisterWhenIdle {
 public:
  explicit UnregisterWhenIdle(std::vector<Device*> devices) : devices_(std::move(devices)) {}
  ~UnregisterWhenIdle() {
    cuda::HostRegistrations& registrations = devices_.front()->platform().host_registrations();
    const auto busy = std::ranges::find_if(devices_, [](const Device* device) { return !device->idle(); });
    try {
      if (busy != devices_.end()) {
        Device& keeper = **busy;
        keeper.discard(std::make_shared<UnregisterWhenIdle>(std::move(devices_)));
        return;
      }
    } catch (const std::bad_alloc&) {
      // No memory to defer it: it is done now.
    }
    registrations.unregister_unused();
  }
  UnregisterWhenIdle(const UnregisterWhenIdle&) = delete;
  UnregisterWhenIdle& operator=(const UnregisterWhenIdle&) = delete;

 private:
  std::vector<Device*> devices_;
};

}  // namespace

ImportedMemory::ImportedMemory(const Context& context, void* begin, std::size_t size,
                               cuda::HostRegistrations::Access access)
    : devices_(roots_of(context)), begin_(begin), size_(size) {
  std::vector<const cuda::DeviceContext*> contexts;
  contexts.reserve(devices_.size());
  for (Device* device : devices_) contexts.push_back(&device->context());
  try {
    context.platform().host_registrations().import(contexts, begin, size, access);
  } catch (...) {
    const UnregisterWhenIdle unregister(std::move(devices_));  // pieces registered before the failure
    throw;
  }
}

ImportedMemory::~ImportedMemory() {
  devices_.front()->platform().host_registrations().release(begin_, size_);
  const UnregisterWhenIdle unregister(std::move(devices_));
}

bool ImportedMemory::is_in_one_piece() const {
  return devices_.front()->platform().host_registrations().left_of_piece(
             reinterpret_cast<std::uintptr_t>(begin_)) >= size_;
}

}  // namespace clcuda
