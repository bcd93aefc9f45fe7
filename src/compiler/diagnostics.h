// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace llvm {
class LLVMContext;
}

namespace clcuda::compiler {

// Redirects LLVM's errors and warnings to `log`. To be called after Clang's action, which installs and
// removes its own handlers. `failed` becomes true with the first error; both must outlive the use of the
// context.
void collect_diagnostics(llvm::LLVMContext& context, std::string& log, bool& failed);

}  // namespace clcuda::compiler
