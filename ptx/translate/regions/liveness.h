// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace clcuda::ptx {

// For each of `blocks`, which have no phis: the instructions whose values were computed before and are needed in or after it. The order is
// the same in each run.
std::vector<std::vector<llvm::Instruction*>> values_alive_at(llvm::Function& function,
                                                             const std::vector<llvm::BasicBlock*>& blocks);

}  // namespace clcuda::ptx
