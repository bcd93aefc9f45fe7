// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/memory_pool.h"

#include <utility>

#include "ptx/driver/arena.h"
#include "ptx/driver/command.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/primary_context.h"
#include "ptx/driver/process.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

namespace {

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

Ref<MemoryPool> pool_of(CUmemoryPool handle) {
  current_context();
  Ref<MemoryPool> pool = handles<MemoryPool>().find(number(handle));
  require(static_cast<bool>(pool));  // CUDA returns CUDA_ERROR_INVALID_VALUE for pools
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
    const Ref<Context> context = Process::get().primary_context(device).context();
    require(static_cast<bool>(context), CUDA_ERROR_INVALID_CONTEXT);
    out = handle_from<CUmemoryPool>(
        handles<MemoryPool>().add(Ref<MemoryPool>::adopt(new MemoryPool(*context, device))));
    return CUDA_SUCCESS;
  });
}

// Remaining allocations keep the pool's memory until they are freed.
CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    const Ref<MemoryPool> pool = handles<MemoryPool>().remove(number(handle));
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

// Every device can access all memory, so there is nothing to change. What CUDA refuses is refused here too.
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
      MemoryPool::of(*allocation).free(address, stream.get());
    else
      stream->enqueue(std::make_unique<ArenaFreeCommand>(*arena, *allocation));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
