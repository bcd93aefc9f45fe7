// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/address_range.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/memory_pool.h"
#include "ptx/driver/process.h"
#include "ptx/driver/registered_memory.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// Page-locked memory is ordinary memory, because the executor can access every address. Asynchronous copies use it in place, because it
// cannot be freed while they are in flight.
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

// The executor's own memory cannot be registered.
CUresult cuMemHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return entry([&] {
    constexpr unsigned kSupported =
        CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
    constexpr unsigned kKnown = kSupported | CU_MEMHOSTREGISTER_IOMEMORY;
    Context& context = current_context();
    require((flags & ~kKnown) == 0);
    require((flags & ~kSupported) == 0, CUDA_ERROR_NOT_SUPPORTED);
    const auto address = reinterpret_cast<CUdeviceptr>(pointer);
    require(!Process::get().arena_of(address));
    Process::get().registered_memory().add(address, size, !(flags & CU_MEMHOSTREGISTER_READ_ONLY),
                                           Ref<Context>(&context));
    return CUDA_SUCCESS;
  });
}

// Like cuMemFreeHost, this waits for the work of the memory's context.
CUresult cuMemHostUnregister(void* pointer) {
  return entry([&] {
    current_context_unchecked();
    require(pointer != nullptr);
    const auto address = reinterpret_cast<CUdeviceptr>(pointer);
    RegisteredMemory& registered = Process::get().registered_memory();
    const std::optional<Allocation> found = registered.find(address);
    require(found.has_value(), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    require(found->address == address);
    if (CUresult error = found->context->synchronize(StreamSet::all)) return error;
    require(registered.remove(address, found->id), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
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

// Host and devices share managed memory, so the arguments are checked but nothing is moved.
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
