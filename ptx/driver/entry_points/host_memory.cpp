// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/address_range.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/memory_pool.h"
#include "ptx/driver/process.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// Page-locked memory: every address is as good as any to the executor, so this is ordinary memory that
// asynchronous copies use in place, because it cannot go away behind their back.
CUresult cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return entry([&] {
    constexpr unsigned kKnown =
        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    Context& context = current_context();
    void*& out = required(pointer);
    require((flags & ~kKnown) == 0);
    out = reinterpret_cast<void*>(
        Process::get().host_memory().allocate(size, MemoryKind::host, Ref<Context>(&context)).address);
    return CUDA_SUCCESS;
  });
}

// Like cuMemFree, this waits for the work of the memory's context.
CUresult cuMemFreeHost(void* pointer) {
  return entry([&] {
    current_context_unchecked();
    require(pointer != nullptr);
    const auto address = reinterpret_cast<CUdeviceptr>(pointer);
    Arena& arena = Process::get().host_memory();
    const std::optional<Allocation> allocation = arena.find_exact(address);
    require(allocation && allocation->kind == MemoryKind::host);
    if (CUresult error = allocation->context->synchronize(StreamSet::all)) return error;
    require(arena.free(address, allocation->id));
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t size, unsigned flags) {
  return entry([&] {
    Context& context = current_context();
    CUdeviceptr& out = required(address);
    require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST);
    out = Process::get().host_memory().allocate(size, MemoryKind::managed, Ref<Context>(&context)).address;
    return CUDA_SUCCESS;
  });
}

// Managed memory is where host and devices reach it already: the arguments are checked, there is nothing to
// move.
CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t size, CUmemLocation location, unsigned flags,
                            CUstream handle) {
  return entry([&] {
    stream_of(handle);
    require(flags == 0 && size > 0);
    require(require_range(address, size).kind == MemoryKind::managed);
    switch (location.type) {
      case CU_MEM_LOCATION_TYPE_DEVICE:
        Process::get().device(location.id);
        return CUDA_SUCCESS;
      case CU_MEM_LOCATION_TYPE_HOST:
      case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

}  // namespace clcuda::ptx::driver
