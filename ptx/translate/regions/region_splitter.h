// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <string>
#include <vector>

#include "ptx/abi/code_object.h"

namespace clcuda::ptx {

// Splits a kernel's code for one work-item into regions at the points where an item suspends (barriers, warp operations, yields): region 0
// begins at the kernel's start, region k after suspension k - 1. Each runs all its items in a loop up to where each suspends next. Values
// that are live across a suspension are kept in arrays with an entry for each item, or computed again if that is cheap:
//
//   a = x[i]; barrier(); y[i] = a    →  symbol.0: for each item: slot[item] = x[i]      suspends at the barrier
//                                        symbol.1: for each item: y[i] = slot[item]
//
// So no item needs a stack of its own, and the loops can be vectorised whatever the control flow around the barriers. Defines the
// functions symbol.0, symbol.1 …, each a RegionEntry (abi/block.h), and fills the members of `code` that describe them.
void split_into_regions(llvm::Function& item, const std::string& symbol, KernelCode& code);

}  // namespace clcuda::ptx
