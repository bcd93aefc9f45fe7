// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/passes/passes.h"

namespace clcuda::compiler {

// Where addresses are carried along (carry_local_addresses.h): what is made of the ids of the work-item and its group in a few
// instructions, and is needed again behind a loop, is made again there. It would hold registers all through the loop, which ptxas then
// lacks for loads ahead of time.
void recompute_ids(llvm::Module& module, const Lowering& lowering);

}  // namespace clcuda::compiler
