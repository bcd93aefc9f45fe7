// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/svm.h"

#include <iterator>
#include <utility>

#include "runtime/device/device_resources.h"

namespace clcuda {

cl_device_svm_capabilities svm_capabilities(const Device& device) {
  cl_device_svm_capabilities all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (!device.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)) return all;
  all |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
  if (device.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS)) all |= CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  return all;
}

SvmAllocation::SvmAllocation(DeviceResources& resources, cl_svm_mem_flags flags, std::size_t size)
    : resources_(resources), flags_(flags), size_(size), block_(resources.memory().allocate_shared(size)) {}

SvmAllocation::~SvmAllocation() {
  resources_.memory().shared().give_back(block_);
  resources_.memory().trim_unused();
}

bool SvmAllocation::moves() const { return resources_.memory().shared().migrates(); }

void SvmAllocation::begin_mapping(ByteRange range) {
  MutexLock lock(mutex_);
  mappings_.emplace(range.begin, range.end);
}

SvmAllocation::Mapped SvmAllocation::end_mapping(std::size_t begin) {
  MutexLock lock(mutex_);
  const auto next = mappings_.upper_bound(begin);
  if (next == mappings_.begin()) return {};
  const auto found = std::prev(next);
  return found->first == begin ? mappings_.extract(found) : Mapped();
}

void SvmAllocation::restore_mapping(Mapped mapped) noexcept {
  MutexLock lock(mutex_);
  mappings_.insert(std::move(mapped));
}

void* SvmSpace::allocate(Device& device, cl_svm_mem_flags flags, std::size_t size) {
  DeviceResources& resources = DeviceResources::of(device);
  resources.require_alive();
  const auto made = Ref<SvmAllocation>::adopt(new SvmAllocation(resources, flags, size));
  MutexLock lock(mutex_);
  allocations_.emplace(made->data(), made);
  return made->data();
}

bool SvmSpace::free(const void* begin) {
  Ref<SvmAllocation> freed;  // goes behind the lock
  MutexLock lock(mutex_);
  const auto found = allocations_.find(static_cast<const std::byte*>(begin));
  if (found == allocations_.end()) return false;
  freed = std::move(found->second);
  allocations_.erase(found);
  return true;
}

Ref<SvmAllocation> SvmSpace::find(const void* byte) const {
  MutexLock lock(mutex_);
  auto after = allocations_.upper_bound(static_cast<const std::byte*>(byte));
  if (after == allocations_.begin()) return {};
  const Ref<SvmAllocation>& candidate = std::prev(after)->second;
  return candidate->contains(byte, 1) ? candidate : Ref<SvmAllocation>();
}

}  // namespace clcuda
