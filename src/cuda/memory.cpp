// SPDX-License-Identifier: Apache-2.0
#include "cuda/memory.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/log.h"
#include "cuda/error.h"
#include "cuda/page.h"

namespace clcuda::cuda {
namespace {

constexpr std::size_t kSlab = 1 << 20;
constexpr std::size_t kSmallest = 1 << 12;

std::size_t rounded(std::size_t size) {
  if (size >= kSlab) return (size + kSlab - 1) / kSlab * kSlab;
  return std::bit_ceil(std::max(size, kSmallest));
}

// For sizes below kSlab.
std::size_t index_of(std::size_t rounded) {
  return static_cast<std::size_t>(std::countr_zero(rounded) - std::countr_zero(kSmallest));
}

CUmemoryPool create_pool(const DeviceContext& context) {
  const DriverTable& driver = context.driver();
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = context.device();
  CUmemoryPool pool = nullptr;
  check(driver, driver.cuMemPoolCreate(&pool, &properties), "cuMemPoolCreate");
  cuuint64_t keep = UINT64_MAX;
  CUresult error = driver.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
  // Prevents the driver from making an allocation in one stream wait for work in another.
  int allow = 0;
  if (error == CUDA_SUCCESS)
    error = driver.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &allow);
  if (error != CUDA_SUCCESS) driver.cuMemPoolDestroy(pool);
  check(driver, error, "cuMemPoolSetAttribute");
  return pool;
}

}  // namespace

CUmemoryPool DriverPool::get(const DeviceContext& context) {
  if (const CUmemoryPool made = if_made()) return made;
  MutexLock lock(making_);
  if (!if_made()) pool_.store(create_pool(context), std::memory_order_release);
  return if_made();
}

MemoryPool::MemoryPool(const DeviceContext& context, Style style)
    : context_(context), driver_(context.driver()) {
  if (style == Style::for_chips) early_.emplace(driver_);
}

CUdeviceptr MemoryPool::allocate(std::size_t size, Stream& stream, Sharing sharing) {
  if (early_ && sharing == Sharing::own_device)
    if (const CUdeviceptr early = early_->allocate(size, stream)) return early;
  const bool small = early_ && size < kPage;
  const std::size_t taken = early_ && !small ? in_pages(size) : size;
  const CUmemoryPool pool = (small ? small_ : pool_).get(context_);
  CUdeviceptr address = 0;
  check(driver_, driver_.cuMemAllocFromPoolAsync(&address, taken, pool, stream.handle()),
        "cuMemAllocFromPoolAsync");
  return address;
}

void MemoryPool::free(CUdeviceptr address, Stream& stream) {
  if (!early_ || !early_->free(address, stream)) driver_.cuMemFreeAsync(address, stream.handle());
}

void MemoryPool::open_to(const DeviceContext& other) noexcept {
  int reachable = 0;
  if (driver_.cuDeviceCanAccessPeer(&reachable, other.device(), context_.device()) != CUDA_SUCCESS ||
      !reachable)
    return;
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = other.device();
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  try {
    const Current current(context_);
    for (DriverPool* pool : {&pool_, &small_})
      check(driver_, driver_.cuMemPoolSetAccess(pool->get(context_), &access, 1), "cuMemPoolSetAccess");
  } catch (const DriverError& error) {
    log::info("{}", error.what());
  }
}

void MemoryPool::trim(std::size_t keep) noexcept {
  for (const DriverPool* pool : {&pool_, &small_})
    if (const CUmemoryPool made = pool->if_made()) driver_.cuMemPoolTrimTo(made, keep);
  if (early_) early_->trim();
}

std::uint64_t MemoryPool::reserved() const noexcept {
  std::uint64_t all = 0;
  for (const DriverPool* pool : {&pool_, &small_}) {
    cuuint64_t bytes = 0;
    const CUmemoryPool made = pool->if_made();
    if (made &&
        driver_.cuMemPoolGetAttribute(made, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &bytes) == CUDA_SUCCESS)
      all += bytes;
  }
  return all;
}

PinnedBlock::~PinnedBlock() {
  if (data_) pool_->give_back(*this);
}

bool PinnedPool::Slab::whole() const { return unused.size() == kSlab / block_size; }

PinnedBlock PinnedPool::take(std::size_t size) {
  const std::size_t whole = rounded(size);
  for (;;) {
    if (PinnedBlock block = take_unused(size)) return block;
    // Without the lock: the driver may take long.
    if (whole >= kSlab) return allocate_large(whole);
    add_slab(whole);
  }
}

PinnedBlock PinnedPool::take_unused(std::size_t size) noexcept {
  const std::size_t whole = rounded(size);
  MutexLock lock(mutex_);
  if (whole < kSlab) {
    void* data = take_from_slab(whole);
    return data ? PinnedBlock(*this, data, whole) : PinnedBlock();
  }
  // A somewhat larger free block will do; a much larger one is kept for larger requests.
  const auto found = free_.lower_bound(whole);
  if (found == free_.end() || found->first > whole + whole / 4) return {};
  unused_ -= found->first;
  return {*this, free_.extract(found)};
}

PinnedBlock PinnedPool::allocate_large(std::size_t size) {
  PinnedBlock::Unused made;
  const auto entry = made.emplace(size, nullptr);
  entry->second = allocate(size);
  return {*this, made.extract(entry)};
}

void* PinnedPool::take_from_slab(std::size_t block_size) {
  std::vector<Slab*>& open = open_[index_of(block_size)];
  if (open.empty()) return nullptr;
  Slab& slab = *open.back();
  if (slab.whole()) unused_ -= kSlab;
  void* data = slab.unused.back();
  slab.unused.pop_back();
  if (slab.unused.empty()) open.pop_back();
  return data;
}

void PinnedPool::add_slab(std::size_t block_size) {
  Slab slab{block_size, {}};
  slab.unused.reserve(kSlab / block_size);
  PinnedBlock whole = allocate_large(kSlab);  // returned to the pool if the lists cannot be allocated
  for (std::size_t end = kSlab; end > 0; end -= block_size)
    slab.unused.push_back(whole.data() + end - block_size);
  MutexLock lock(mutex_);
  std::vector<Slab*>& open = open_[index_of(block_size)];
  if (open.capacity() <= slabs_.size()) open.reserve(2 * slabs_.size() + 1);
  open.push_back(&slabs_.emplace(whole.data(), std::move(slab)).first->second);
  unused_ += kSlab;
  whole.data_ = nullptr;
}

void* PinnedPool::allocate(std::size_t size) {
  void* data = nullptr;
  check(driver_, driver_.cuMemHostAlloc(&data, size, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
  return data;
}

void PinnedPool::give_back(PinnedBlock& block) noexcept {
  MutexLock lock(mutex_);
  if (block.node_) {
    unused_ += block.size_;
    free_.insert(std::move(block.node_));
    return;
  }
  Slab& slab = std::prev(slabs_.upper_bound(block.data_))->second;
  // Neither push_back() allocates: both lists have been that long before.
  if (slab.unused.empty()) open_[index_of(block.size_)].push_back(&slab);
  slab.unused.push_back(block.data_);
  if (slab.whole()) unused_ += kSlab;
}

std::size_t PinnedPool::unused() const {
  MutexLock lock(mutex_);
  return unused_;
}

void PinnedPool::trim() noexcept {
  PinnedBlock::Unused freed;
  Slabs whole;
  {
    MutexLock lock(mutex_);
    freed.swap(free_);
    for (std::vector<Slab*>& open : open_)
      std::erase_if(open, [](const Slab* slab) { return slab->whole(); });
    for (auto slab = slabs_.begin(); slab != slabs_.end();) {
      const auto next = std::next(slab);
      if (slab->second.whole()) whole.insert(slabs_.extract(slab));
      slab = next;
    }
    unused_ = 0;
  }
  for (const auto& [size, data] : freed) driver_.cuMemFreeHost(data);
  for (const auto& [data, slab] : whole) driver_.cuMemFreeHost(data);
}

}  // namespace clcuda::cuda
