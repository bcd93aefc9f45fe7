// SPDX-License-Identifier: Apache-2.0
#include "cuda/shared_pool.h"

#include <algorithm>

#include "cuda/error.h"

namespace clcuda::cuda {
namespace {

constexpr std::size_t kAlignment = 512;

bool has_concurrent_access(const DeviceContext& context) {
  int concurrent = 0;
  return context.driver().cuDeviceGetAttribute(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
                                               context.device()) == CUDA_SUCCESS &&
         concurrent;
}

}  // namespace

SharedPool::SharedPool(const DeviceContext& context)
    : driver_(context.driver()), managed_(has_concurrent_access(context)) {}

SharedPool::Block SharedPool::take(std::size_t size) {
  const std::size_t whole = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (whole < size) throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, "more memory than there are addresses");
  MutexLock lock(mutex_);
  // A somewhat larger free block will do; a much larger one is kept for larger requests.
  if (const auto found = free_.lower_bound(whole);
      found != free_.end() && found->first <= whole + whole / 4) {
    unused_ -= found->first;
    return Block(free_.extract(found));
  }
  Unused made;
  made.emplace(whole, nullptr);
  Block block(made.extract(made.begin()));
  block.node_.mapped() = allocate(whole);
  return block;
}

std::byte* SharedPool::allocate(std::size_t size) {
  std::size_t free = 0, total = 0;
  check(driver_, driver_.cuMemGetInfo(&free, &total), "cuMemGetInfo");
  // The driver would allocate more managed memory than the device has, and migrate pages back and forth when they are used.
  if ((managed_ && size > free) || size > total - std::min(allocated_, total))
    throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, "more shared memory than the device has free");
  void* data = nullptr;
  if (managed_) {
    CUdeviceptr address = 0;
    check(driver_, driver_.cuMemAllocManaged(&address, size, CU_MEM_ATTACH_GLOBAL), "cuMemAllocManaged");
    data = reinterpret_cast<void*>(address);
  } else {
    check(driver_, driver_.cuMemHostAlloc(&data, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc");
  }
  allocated_ += size;
  return static_cast<std::byte*>(data);
}

void SharedPool::give_back(Block block) noexcept {
  MutexLock lock(mutex_);
  unused_ += block.size();
  free_.insert(std::move(block.node_));
}

std::size_t SharedPool::unused() const {
  MutexLock lock(mutex_);
  return unused_;
}

void SharedPool::trim() noexcept {
  Unused freed;
  {
    MutexLock lock(mutex_);
    freed.swap(free_);
    allocated_ -= unused_;
    unused_ = 0;
  }
  for (const auto& [size, data] : freed) {
    if (managed_)
      driver_.cuMemFree(reinterpret_cast<CUdeviceptr>(data));
    else
      driver_.cuMemFreeHost(data);
  }
}

}  // namespace clcuda::cuda
