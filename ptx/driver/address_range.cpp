// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/address_range.h"

#include "ptx/driver/driver_error.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

Allocation require_range(CUdeviceptr address, std::size_t bytes) {
  const Arena* arena = Process::get().arena_of(address);
  require(arena != nullptr);
  std::optional<Allocation> allocation = arena->find(address);
  require(allocation && allocation->contains(address, bytes));
  return *std::move(allocation);
}

void require_reachable(CUdeviceptr address, std::size_t bytes) {
  require(address != 0);
  if (Process::get().arena_of(address)) require_range(address, bytes);
}

bool is_pageable(const void* host, std::size_t bytes) {
  const auto address = reinterpret_cast<CUdeviceptr>(host);
  if (!Process::get().arena_of(address)) return true;
  require_range(address, bytes);
  return false;
}

}  // namespace clcuda::ptx::driver
