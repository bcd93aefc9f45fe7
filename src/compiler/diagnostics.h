// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace llvm {
class LLVMContext;
}

namespace clcuda::compiler {

// Sends what LLVM reports from now on to `log`, errors and warnings. To be called after Clang's action, which
// puts handlers of its own in and takes them out. `failed` becomes true with the first error; both must
// outlive the context's use.
void collect_diagnostics(llvm::LLVMContext& context, std::string& log, bool& failed);

}  // namespace clcuda::compiler
