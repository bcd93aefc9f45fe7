// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <optional>

#include "ptx/driver/address_range.h"
#include "ptx/driver/context.h"
#include "ptx/driver/device.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/memory_pool.h"

namespace clcuda::ptx::driver {
namespace {

template <class T>
CUresult write(void* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUresult write_attribute(void* out, CUpointer_attribute attribute, CUdeviceptr address,
                         const Allocation& allocation) {
  const bool host = allocation.kind == MemoryKind::host;
  const bool host_reachable = host || allocation.kind == MemoryKind::managed;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return write(out, allocation.context->device().context_handle());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return write<unsigned>(out, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return write(out, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      require(host_reachable);
      return write(out, address);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return write<unsigned>(out, 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return write<unsigned long long>(out, allocation.id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return write<unsigned>(out, allocation.kind == MemoryKind::managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return write<int>(out, allocation.context->device().ordinal());
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return write(out, allocation.address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return write<std::size_t>(out, allocation.size);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return write<unsigned>(out, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return write<unsigned long long>(out, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return write<unsigned>(out, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
      std::uint64_t found = 0;
      if (allocation.pool)
        for (std::uint64_t handle : handles<MemoryPool>().handles_if(
                 [&](const MemoryPool& pool) { return &pool == allocation.pool.get(); }))
          found = handle;
      return write(out, found);
    }
    default:
      refuse(CUDA_ERROR_INVALID_VALUE);
  }
}

}  // namespace

// As CUDA's, for threads without a current context, too.
CUresult cuPointerGetAttribute(void* out, CUpointer_attribute attribute, CUdeviceptr address) {
  return entry([&] {
    require(out != nullptr);
    // No exception: callers ask about memory of any kind, most of which is the host's.
    const std::optional<Allocation> found = find_range(address, 1);
    return found ? write_attribute(out, attribute, address, *found) : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // namespace clcuda::ptx::driver
