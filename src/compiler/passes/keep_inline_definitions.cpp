// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/passes.h"

namespace clcuda::compiler {

// An `inline` function of C99 without an external definition anywhere is common in OpenCL C; its inline
// definition then is the function.
void keep_inline_definitions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace clcuda::compiler
