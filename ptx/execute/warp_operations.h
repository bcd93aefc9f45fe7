// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/abi/block.h"

namespace clcuda::ptx {

// Performs a warp operation for the lanes in `lanes`, all of which wait for it: reads their operands and writes their results in `block`.
// `first` is the item number of the warp's lane 0.
void do_warp_operation(Wait wait, Block& block, std::uint32_t first, std::uint32_t lanes);

inline bool is_warp_operation(Wait wait) { return wait >= Wait::warp_sync && wait <= Wait::elect; }

}  // namespace clcuda::ptx
