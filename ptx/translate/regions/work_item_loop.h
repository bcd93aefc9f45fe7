// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <span>
#include <string>

#include "ptx/abi/block.h"

namespace clcuda::ptx {

// Defines the function `name`, a RegionEntry (abi/block.h): loops over rows of work-items and along each row, with the body `item`, which
// is inlined. The inner loop is declared parallel if items cannot observe each other's progress (no atomic, volatile or unknown access)
// and vectorising it is worth the compile time. `waits` are the kernel's.
void make_work_item_loop(llvm::Function& item, const std::string& name, std::span<const Wait> waits);

}  // namespace clcuda::ptx
