// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <string>
#include <vector>

#include "ptx/abi/code_object.h"

namespace clcuda::ptx {

// Turns what one work-item does into regions. A kernel is cut where an item suspends (barriers, warp
// operations, yields): region 0 begins at the kernel's start, region k after suspension k - 1, and each runs
// all its items in a loop up to wherever each suspends next. Values that live across a suspension are kept in
// arrays with an entry per item, or computed again where that is cheap.
//
// So no item needs a stack of its own, and the loops are open to the vectoriser, whatever the control flow
// around the barriers. Defines `<symbol>.0`, `<symbol>.1` …, all RegionEntry, and fills the parts of `code`
// that describe them.
void split_into_regions(llvm::Function& item, const std::string& symbol, KernelCode& code);

}  // namespace clcuda::ptx
