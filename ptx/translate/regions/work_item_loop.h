// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <span>
#include <string>

#include "ptx/abi/block.h"

namespace clcuda::ptx {

// Defines `name`, a RegionEntry: loops over rows of work-items and along each, with `item` as the body, which
// becomes part of it. The inner loop is declared parallel where items cannot notice each other's progress: no
// atomic, volatile or unknown access, and where vectorising it is worth the time. `waits` are the kernel's.
void make_work_item_loop(llvm::Function& item, const std::string& name, std::span<const Wait> waits);

}  // namespace clcuda::ptx
