// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ptx/driver/current_context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/memory_pool.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return entry([&] {
    const Arena& memory = current_context().device().memory();
    required(free);
    required(total) = memory.capacity();
    *free = memory.capacity() - std::min(memory.used(), memory.capacity());
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t size) {
  return entry([&] {
    Context& context = current_context();
    CUdeviceptr& out = required(address);
    out = context.device().memory().allocate(size, MemoryKind::device, Ref<Context>(&context)).address;
    return CUDA_SUCCESS;
  });
}

// Waits for the work of the memory's context, because running kernels may use the memory.
CUresult cuMemFree(CUdeviceptr address) {
  return entry([&] {
    Context& current = current_context_unchecked();
    if (address == 0) return current.status();
    Arena* arena = Process::get().arena_of(address);
    require(arena != nullptr);
    const std::optional<Allocation> allocation = arena->find_exact(address);
    require(allocation && (allocation->kind == MemoryKind::device ||
                           allocation->kind == MemoryKind::managed || allocation->kind == MemoryKind::pool));
    if (CUresult error = allocation->context->synchronize(StreamSet::all))
      return error;  // all memory is freed with the context
    if (allocation->kind == MemoryKind::pool)
      MemoryPool::of(*allocation).free(address, nullptr);
    else
      require(arena->free(address, allocation->id));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
