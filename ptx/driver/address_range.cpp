// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/address_range.h"

#include "ptx/driver/driver_error.h"
#include "ptx/driver/process.h"
#include "ptx/driver/registered_memory.h"

namespace clcuda::ptx::driver {
namespace {

// Whether the address is in an arena, allocated or not, or in registered memory.
bool is_known(CUdeviceptr address) {
  return Process::get().arena_of(address) || Process::get().registered_memory().find(address);
}

}  // namespace

std::optional<Allocation> find_range(CUdeviceptr address, std::size_t bytes) {
  const Arena* arena = Process::get().arena_of(address);
  std::optional<Allocation> allocation =
      arena ? arena->find(address) : Process::get().registered_memory().find(address);
  if (allocation && !allocation->contains(address, bytes)) allocation.reset();
  return allocation;
}

Allocation require_range(CUdeviceptr address, std::size_t bytes) {
  std::optional<Allocation> allocation = find_range(address, bytes);
  require(allocation.has_value());
  return *std::move(allocation);
}

void require_reachable(CUdeviceptr address, std::size_t bytes) {
  require(address != 0);
  if (is_known(address)) require_range(address, bytes);
}

bool is_pageable(const void* host, std::size_t bytes) {
  const auto address = reinterpret_cast<CUdeviceptr>(host);
  if (!is_known(address)) return true;
  require_range(address, bytes);
  return false;
}

}  // namespace clcuda::ptx::driver
