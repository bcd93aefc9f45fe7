// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/device_addresses.h"

#include <iterator>

namespace clcuda {

void DeviceAddresses::add(CUdeviceptr begin, std::size_t size, Object& buffer) {
  MutexLock lock(mutex_);
  ranges_.emplace(begin, Range{size, &buffer});
}

void DeviceAddresses::remove(CUdeviceptr begin, const Object& buffer) noexcept {
  MutexLock lock(mutex_);
  const auto [first, last] = ranges_.equal_range(begin);
  for (auto range = first; range != last; ++range)
    if (range->second.buffer == &buffer) {
      ranges_.erase(range);
      return;
    }
}

// (Ranges overlap only where buffers share memory that is everywhere: one of them will do.)
Ref<Object> DeviceAddresses::find(CUdeviceptr address) const {
  MutexLock lock(mutex_);
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return {};
  const auto& [begin, range] = *std::prev(after);
  return address - begin < range.size ? Ref<Object>::try_hold(*range.buffer) : Ref<Object>();
}

}  // namespace clcuda
