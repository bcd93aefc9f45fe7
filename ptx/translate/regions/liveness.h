// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace clcuda::ptx {

// Which instructions' values are needed at or after the beginning of each of `blocks` (which have no phis),
// having been computed before; in an order that does not depend on addresses.
std::vector<std::vector<llvm::Instruction*>> values_alive_at(llvm::Function& function,
                                                             const std::vector<llvm::BasicBlock*>& blocks);

}  // namespace clcuda::ptx
