// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/memory_pool.h"

#include <algorithm>
#include <utility>

#include "ptx/driver/arena.h"
#include "ptx/driver/device.h"
#include "ptx/driver/memory.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

// A free block is used for a request that fills at least this part of it, or that a page or two would hold
// anyway.
bool fits(const Allocation& block, std::size_t size) {
  return size <= block.pages && (block.pages <= size + size / 4 || block.pages - size <= 8192);
}

class PoolFreeCommand final : public Command {
 public:
  PoolFreeCommand(Ref<MemoryPool> pool, Ref<Record> record)
      : pool_(std::move(pool)), record_(std::move(record)) {}
  Progress start(Stream&) noexcept override {
    record_->set_complete();
    pool_->trim(static_cast<std::size_t>(pool_->attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)));
    return Progress::finished;
  }
  void drop() noexcept override { record_->set_complete(); }

 private:
  const Ref<MemoryPool> pool_;
  const Ref<Record> record_;
};

class ArenaFreeCommand final : public Command {
 public:
  ArenaFreeCommand(Arena& arena, const Allocation& allocation)
      : arena_(arena), address_(allocation.address), id_(allocation.id) {}
  Progress start(Stream&) noexcept override {
    arena_.free(address_, id_);
    return Progress::finished;
  }

 private:
  Arena& arena_;
  const CUdeviceptr address_;
  const std::uint64_t id_;
};

}  // namespace

struct MemoryPool::FreeBlock {
  Allocation memory;     // hidden from the arena's users
  Ref<Record> freed;     // empty: long since
  const Stream* stream;  // that freed it; compared only

  bool fits(std::size_t size) const { return driver::fits(memory, size); }
  bool usable_in(const Stream& other) const { return !freed || freed->complete() || stream == &other; }
};

MemoryPool::MemoryPool(Context& context, Device& device) : context_(&context), device_(device) {}
MemoryPool::~MemoryPool() { release(free_); }

CUdeviceptr MemoryPool::allocate(std::size_t size, const Stream& stream) {
  require(size > 0);
  {
    MutexLock lock(mutex_);
    auto best = free_.end();
    for (auto block = free_.begin(); block != free_.end(); ++block)
      if (block->fits(size) && (best == free_.end() || block->memory.pages <= best->memory.pages) &&
          block->usable_in(stream))
        best = block;
    if (best != free_.end()) {
      Allocation reused = std::move(best->memory);
      free_.erase(best);
      reused.pool = Ref<MemoryPool>(this);
      used_ += reused.pages;
      used_high_ = std::max(used_high_, used_);
      return device_.memory().show(std::move(reused), size).address;
    }
  }
  const auto fresh = [&] {
    return device_.memory().allocate(size, MemoryKind::pool, context_, Ref<MemoryPool>(this));
  };
  Allocation allocation;
  try {
    allocation = fresh();
  } catch (const Refusal&) {
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
  Ref<Record> record;
  if (stream) {
    stream->context().require_usable();
    record = Ref<Record>::adopt(new Record(Ref<Context>(&stream->context())));
  }
  std::optional<Allocation> hidden = device_.memory().hide(address, MemoryKind::pool);
  require(hidden.has_value());
  // The pool does not hold itself: it goes with its last allocation once its handle is gone.
  const Ref<MemoryPool> self = std::exchange(hidden->pool, {});
  {
    MutexLock lock(mutex_);
    used_ -= hidden->pages;
    free_.push_back({*std::move(hidden), record, stream});
  }
  if (stream)
    stream->enqueue(std::make_unique<PoolFreeCommand>(self, std::move(record)));
  else
    trim(static_cast<std::size_t>(attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)));
}

std::vector<MemoryPool::FreeBlock> MemoryPool::take_surplus(std::uint64_t bytes_to_keep) {
  std::vector<FreeBlock> surplus;
  for (auto block = free_.begin(); block != free_.end() && reserved_ > bytes_to_keep;) {
    if (block->freed && !block->freed->complete()) {
      ++block;
      continue;
    }
    reserved_ -= block->memory.pages;
    surplus.push_back(std::move(*block));
    block = free_.erase(block);
  }
  return surplus;
}

void MemoryPool::release(const std::vector<FreeBlock>& blocks) noexcept {
  for (const FreeBlock& block : blocks) device_.memory().release_hidden(block.memory);
}

void MemoryPool::trim(std::size_t bytes_to_keep) noexcept {
  std::vector<FreeBlock> surplus;
  {
    MutexLock lock(mutex_);
    if (reserved_ <= bytes_to_keep) return;
    surplus = take_surplus(bytes_to_keep);
  }
  release(surplus);
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

HandleTable<MemoryPool>& memory_pool_handles() {
  static HandleTable<MemoryPool>& handles = *new HandleTable<MemoryPool>(HandleType::memory_pool);
  return handles;
}

namespace {

Ref<MemoryPool> pool_of(CUmemoryPool handle) {
  current_context();
  Ref<MemoryPool> pool = memory_pool_handles().find(number(handle));
  require(static_cast<bool>(pool));  // CUDA answers CUDA_ERROR_INVALID_VALUE for pools
  pool->context().require_usable();
  return pool;
}

bool is_int(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

}  // namespace

CUresult cuMemPoolCreate(CUmemoryPool* handle, const CUmemPoolProps* properties) {
  return entry([&] {
    current_context();
    CUmemoryPool& out = required(handle);
    require(properties && properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED);
    require(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE);
    require(properties->handleTypes == CU_MEM_HANDLE_TYPE_NONE, CUDA_ERROR_NOT_SUPPORTED);
    Device& device = Process::get().device(properties->location.id);
    const Ref<Context> context = device.context();
    require(static_cast<bool>(context), CUDA_ERROR_INVALID_CONTEXT);
    out = handle_from<CUmemoryPool>(
        memory_pool_handles().add(Ref<MemoryPool>::adopt(new MemoryPool(*context, device))));
    return CUDA_SUCCESS;
  });
}

// Allocations that are left keep the pool's memory until they are freed.
CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    const Ref<MemoryPool> pool = memory_pool_handles().remove(number(handle));
    require(static_cast<bool>(pool));
    pool->set_attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 0);
    pool->trim(0);
    return current.status();
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return entry([&] {
    const Ref<MemoryPool> pool = pool_of(handle);
    require(value != nullptr);
    pool->set_attribute(attribute, is_int(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                                     : *static_cast<cuuint64_t*>(value));
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return entry([&] {
    const Ref<MemoryPool> pool = pool_of(handle);
    require(value != nullptr);
    const std::uint64_t result = pool->attribute(attribute);
    if (is_int(attribute))
      *static_cast<int*>(value) = static_cast<int>(result);
    else
      *static_cast<cuuint64_t*>(value) = result;
    return CUDA_SUCCESS;
  });
}

// Every device reaches all memory here, so there is nothing to switch; what CUDA would refuse is refused.
CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* descriptors, std::size_t count) {
  return entry([&] {
    const Ref<MemoryPool> pool = pool_of(handle);
    require(descriptors != nullptr || count == 0);
    for (std::size_t i = 0; i < count; ++i) {
      const CUmemAccessDesc& access = descriptors[i];
      require(access.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
      const Device& device = Process::get().device(access.location.id);
      require(access.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ||
              (access.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE && &device != &pool->device()));
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, std::size_t bytes_to_keep) {
  return entry([&] {
    pool_of(handle)->trim(bytes_to_keep);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, std::size_t size, CUmemoryPool handle,
                                 CUstream stream_handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(stream_handle);
    const Ref<MemoryPool> pool = pool_of(handle);
    CUdeviceptr& out = required(address);
    out = pool->allocate(size, *stream);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream_handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(stream_handle);
    Arena* arena = Process::get().arena_of(address);
    require(arena != nullptr);
    const std::optional<Allocation> allocation = arena->find_exact(address);
    require(allocation && (allocation->kind == MemoryKind::pool || allocation->kind == MemoryKind::device));
    if (allocation->pool)
      allocation->pool->free(address, stream.get());
    else
      stream->enqueue(std::make_unique<ArenaFreeCommand>(*arena, *allocation));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
