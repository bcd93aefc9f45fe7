// SPDX-License-Identifier: Apache-2.0
#include "cuda/bootstrap_allocator.h"

#include <algorithm>
#include <utility>

#include "cuda/page.h"

namespace clcuda::cuda {
namespace {

constexpr std::size_t kMostBlocks = 64, kMostBytes = 256 << 20;

// A block is used for sizes that fill most of it.
bool fits(std::size_t block, std::size_t size) { return size <= block && block <= size + size / 4; }

}  // namespace

CUdeviceptr BootstrapAllocator::allocate(std::size_t wanted, const Stream& stream) {
  if (wanted > kMostBytes) return 0;
  const std::size_t size = in_pages(wanted);
  {
    MutexLock lock(mutex_);
    if (const CUdeviceptr address = take_free(size, stream)) return address;
    if (count_ == kMostBlocks || size > kMostBytes - bytes_) return 0;
    blocks_.reserve(kMostBlocks);
    ++count_;
    bytes_ += size;
  }
  // Without the lock: the driver may take long.
  CUdeviceptr address = 0;
  const bool allocated = driver_.cuMemAlloc(&address, size) == CUDA_SUCCESS;
  MutexLock lock(mutex_);
  if (allocated) {
    blocks_.push_back({.address = address, .size = size});
  } else {
    --count_;
    bytes_ -= size;
  }
  return address;
}

CUdeviceptr BootstrapAllocator::take_free(std::size_t size, const Stream& stream) {
  Block* best = nullptr;
  for (Block& block : blocks_)
    if (block.last && fits(block.size, size) && (!best || block.size < best->size) &&
        (block.last == &stream || block.freed.query() == CUDA_SUCCESS))
      best = &block;
  if (!best) return 0;
  best->last = nullptr;
  best->freed = {};
  return best->address;
}

BootstrapAllocator::Block* BootstrapAllocator::find_used(CUdeviceptr address) {
  const auto found = std::ranges::find(blocks_, address, &Block::address);
  return found == blocks_.end() ? nullptr : &*found;
}

bool BootstrapAllocator::free(CUdeviceptr address, Stream& stream) {
  {
    MutexLock lock(mutex_);
    if (!find_used(address)) return false;
  }
  Event freed = stream.mark();  // without the lock, as above
  MutexLock lock(mutex_);
  Block& block = *find_used(address);
  block.last = &stream;
  block.freed = std::move(freed);
  return true;
}

void BootstrapAllocator::trim() noexcept {
  for (;;) {
    Block unused;
    {
      MutexLock lock(mutex_);
      const auto found = std::ranges::find_if(blocks_, [](const Block& block) { return block.last; });
      if (found == blocks_.end()) return;
      unused = std::move(*found);
      blocks_.erase(found);
    }
    driver_.cuMemFree(unused.address);
    MutexLock lock(mutex_);
    --count_;
    bytes_ -= unused.size;
  }
}

}  // namespace clcuda::cuda
