// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/memory_pool.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ptx/driver/command.h"
#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/event_record.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

class PoolFreeCommand final : public Command {
 public:
  PoolFreeCommand(Ref<MemoryPool> pool, Ref<EventRecord> record)
      : pool_(std::move(pool)), record_(std::move(record)) {}
  Progress start(Stream&) noexcept override {
    record_->set_complete();
    pool_->trim(static_cast<std::size_t>(pool_->attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)));
    return Progress::finished;
  }
  void drop() noexcept override { record_->set_complete(); }

 private:
  const Ref<MemoryPool> pool_;
  const Ref<EventRecord> record_;
};

}  // namespace

MemoryPool::MemoryPool(Context& context, Device& device) : context_(&context), device_(device) {}
MemoryPool::~MemoryPool() {
  free_.for_each([&](const Allocation& memory) { device_.memory().release_hidden(memory); });
}

CUdeviceptr MemoryPool::allocate(std::size_t size, const Stream& stream) {
  require(size > 0);
  {
    MutexLock lock(mutex_);
    if (std::optional<Allocation> reused = free_.take(size, stream)) {
      reused->pool = Ref<MemoryPool>(this);
      used_ += reused->pages;
      used_high_ = std::max(used_high_, used_);
      return device_.memory().show(*std::move(reused), size).address;
    }
  }
  const auto fresh = [&] {
    return device_.memory().allocate(size, MemoryKind::pool, context_, Ref<MemoryPool>(this));
  };
  Allocation allocation;
  try {
    allocation = fresh();
  } catch (const DriverError&) {
    trim(0);
    allocation = fresh();
  }
  MutexLock lock(mutex_);
  used_ += allocation.pages;
  used_high_ = std::max(used_high_, used_);
  reserved_ += allocation.pages;
  reserved_high_ = std::max(reserved_high_, reserved_);
  return allocation.address;
}

void MemoryPool::free(CUdeviceptr address, Stream* stream) {
  Ref<EventRecord> record;
  if (stream) {
    stream->context().require_usable();
    record = Ref<EventRecord>::adopt(new EventRecord(Ref<Context>(&stream->context())));
  }
  std::optional<Allocation> hidden = device_.memory().hide(address, MemoryKind::pool);
  require(hidden.has_value());
  // A free block holds no reference to its pool: without a handle, the pool is destroyed with its last allocation.
  const Ref<MemoryPool> self = std::exchange(hidden->pool, {});
  {
    MutexLock lock(mutex_);
    used_ -= hidden->pages;
    free_.add({*std::move(hidden), record, stream});
  }
  if (stream)
    stream->enqueue(std::make_unique<PoolFreeCommand>(self, std::move(record)));
  else
    trim(static_cast<std::size_t>(attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)));
}

void MemoryPool::trim(std::size_t bytes_to_keep) noexcept {
  std::vector<Allocation> surplus;
  {
    MutexLock lock(mutex_);
    if (reserved_ <= bytes_to_keep) return;
    surplus = free_.take_oldest(reserved_ - bytes_to_keep);
    for (const Allocation& memory : surplus) reserved_ -= memory.pages;
  }
  for (const Allocation& memory : surplus) device_.memory().release_hidden(memory);
}

std::uint64_t MemoryPool::attribute(CUmemPool_attribute attribute) const {
  MutexLock lock(mutex_);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return reuse_[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      return threshold_;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      return reserved_;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      return reserved_high_;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      return used_;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      return used_high_;
    default:
      refuse(CUDA_ERROR_INVALID_VALUE);
  }
}

void MemoryPool::set_attribute(CUmemPool_attribute attribute, std::uint64_t value) {
  MutexLock lock(mutex_);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      reuse_[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = value;
      return;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      threshold_ = value;
      return;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:  // a high-water mark can be reset only
      require(value == 0);
      reserved_high_ = reserved_;
      return;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      require(value == 0);
      used_high_ = used_;
      return;
    default:
      refuse(CUDA_ERROR_INVALID_VALUE);
  }
}

}  // namespace clcuda::ptx::driver
