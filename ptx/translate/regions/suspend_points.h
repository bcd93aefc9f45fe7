// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

namespace clcuda::ptx {

// Makes loops that wait for other items suspend at each turn, so that those get to run.
void insert_suspend_points(llvm::Function& function);

}  // namespace clcuda::ptx
