// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/driver_table.h"

namespace clcuda::cuda {

// How the driver treats host memory. It does not copy pageable memory in stream order. Page-locked memory, locked by clcuda or by the
// application, is accessed in stream order; so is shared memory (managed memory, for instance), which kernels access at the same address. A
// range is mixed if it is page-locked in part, in more than one allocation, or registered with pages that the memory no longer has: the
// driver would refuse to copy it in one call, or copy other pages.
enum class HostMemory : std::uint8_t { pageable, mixed, page_locked, shared };
HostMemory host_memory_at(const DriverTable& driver, const void* byte) noexcept;

// The allocation, or the registered memory, that contains `byte`.
struct AddressRange {
  CUdeviceptr begin;
  std::size_t size;
};
std::optional<AddressRange> allocation_at(const DriverTable& driver, CUdeviceptr byte) noexcept;

// An allocation of device memory (including managed memory), by clcuda or by the application.
struct DeviceMemoryRange {
  CUdeviceptr begin;
  std::size_t size;
  CUdevice device;
  CUcontext context;  // null if it belongs to no single context, like memory of a pool
};
// The allocation of device memory that contains `byte`, if there is one. The driver must have been initialised.
std::optional<DeviceMemoryRange> device_memory_at(const DriverTable& driver, CUdeviceptr byte) noexcept;

}  // namespace clcuda::cuda
