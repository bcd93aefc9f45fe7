// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptx/abi/tier.h"
#include "ptx/execute/scheduler.h"

namespace clcuda::ptx {

// A kernel's machine code in memory, with what a Worker needs to run it. Sizes are in bytes.
struct LoadedKernel {
  std::byte* globals = nullptr;
  KernelEntry entry;
  std::uint32_t slot_bytes = 0;
  std::uint32_t kept_local_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;
  Tier tier = Tier::full;
};

}  // namespace clcuda::ptx
