// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/driver/arena.h"

namespace clcuda::ptx::driver {

// The allocation that all of [address, address + bytes) lies in, of whatever kind: host and device memory are
// one address space. Empty if there is none.
std::optional<Allocation> find_range(CUdeviceptr address, std::size_t bytes);
// The same; throws DriverError{CUDA_ERROR_INVALID_VALUE} if there is none.
Allocation require_range(CUdeviceptr address, std::size_t bytes);

// The same for an address that device code may use. Memory outside our arenas is not checked, because the device accesses all host memory
// (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES).
void require_reachable(CUdeviceptr address, std::size_t bytes);

// Whether a host address is none of page-locked memory (registered memory is that, too), managed memory and device memory, which
// asynchronous copies may use in place. Throws DriverError{CUDA_ERROR_INVALID_VALUE} if such memory begins there but ends within the range.
bool is_pageable(const void* host, std::size_t bytes);

}  // namespace clcuda::ptx::driver
