// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/device_addresses.h"

#include <algorithm>

namespace clcuda {

void DeviceAddresses::add(CUdeviceptr begin, std::size_t size, Object& buffer) {
  MutexLock lock(mutex_);
  ranges_.emplace(begin, Range{size, &buffer});
  largest_ = std::max(largest_, size);
}

void DeviceAddresses::remove(CUdeviceptr begin, const Object& buffer) noexcept {
  MutexLock lock(mutex_);
  const auto [first, last] = ranges_.equal_range(begin);
  for (auto range = first; range != last; ++range)
    if (range->second.buffer == &buffer) {
      ranges_.erase(range);
      removed_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
}

// Ranges overlap, or contain each other, where buffers share memory (CL_MEM_USE_HOST_PTR with shared virtual memory). Any of them will do.
Ref<Object> DeviceAddresses::find(CUdeviceptr address) const {
  MutexLock lock(mutex_);
  for (auto range = ranges_.upper_bound(address); range != ranges_.begin();) {
    --range;
    const CUdeviceptr offset = address - range->first;
    if (offset >= largest_) break;
    if (offset >= range->second.size) continue;
    if (Ref<Object> buffer = Ref<Object>::try_hold(*range->second.buffer)) return buffer;
  }
  return {};
}

}  // namespace clcuda
