// SPDX-License-Identifier: Apache-2.0
#include "cuda/pointer.h"

namespace clcuda::cuda {
namespace {

template <class T>
bool ask(const DriverTable& driver, CUdeviceptr byte, CUpointer_attribute attribute, T& answer) noexcept {
  return driver.cuPointerGetAttribute(static_cast<void*>(&answer), attribute, byte) == CUDA_SUCCESS;
}

}  // namespace

std::optional<AddressRange> allocation_at(const DriverTable& driver, CUdeviceptr byte) noexcept {
  AddressRange range{};
  if (!ask(driver, byte, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, range.begin) ||
      !ask(driver, byte, CU_POINTER_ATTRIBUTE_RANGE_SIZE, range.size))
    return {};
  return range;
}

std::optional<DeviceMemoryRange> device_memory_at(const DriverTable& driver, CUdeviceptr byte) noexcept {
  CUmemorytype type{};
  DeviceMemoryRange found{};
  const std::optional<AddressRange> range = allocation_at(driver, byte);
  if (!range || !ask(driver, byte, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, type) || type != CU_MEMORYTYPE_DEVICE ||
      !ask(driver, byte, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, found.device))
    return {};
  found.begin = range->begin;
  found.size = range->size;
  if (!ask(driver, byte, CU_POINTER_ATTRIBUTE_CONTEXT, found.context)) found.context = nullptr;
  return found;
}

HostMemory host_memory_at(const DriverTable& driver, const void* byte) noexcept {
  CUmemorytype type{};
  if (!ask(driver, reinterpret_cast<CUdeviceptr>(byte), CU_POINTER_ATTRIBUTE_MEMORY_TYPE, type))
    return HostMemory::pageable;
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      return HostMemory::page_locked;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return HostMemory::shared;
    default:
      return HostMemory::pageable;
  }
}

}  // namespace clcuda::cuda
