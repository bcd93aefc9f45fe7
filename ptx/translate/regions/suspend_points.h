// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

namespace clcuda::ptx {

// Makes loops that wait for other items (a spin lock, a flag) suspend in each iteration, so that those items get to run (Wait::yield).
void insert_suspend_points(llvm::Function& function);

}  // namespace clcuda::ptx
