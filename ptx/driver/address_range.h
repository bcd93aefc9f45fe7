// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/driver/arena.h"

namespace clcuda::ptx::driver {

// The allocation that all of [address, address + bytes) lies in, of whatever kind: host and device memory are
// one address space. Throws DriverError{CUDA_ERROR_INVALID_VALUE}.
Allocation require_range(CUdeviceptr address, std::size_t bytes);

// The same for an address that device code may use, where memory of the process that is in no arena is the
// caller's affair: the device reaches all of it
// (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES).
void require_reachable(CUdeviceptr address, std::size_t bytes);

// Whether a host address is page-locked or managed memory of ours, or device memory: asynchronous copies may
// use it in place. Throws DriverError{CUDA_ERROR_INVALID_VALUE} if it is in our arenas, but not wholly inside
// an allocation.
bool is_pageable(const void* host, std::size_t bytes);

}  // namespace clcuda::ptx::driver
