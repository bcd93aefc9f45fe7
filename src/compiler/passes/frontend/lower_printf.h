// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

namespace clcuda::compiler {

// Calls of printf become records in the launch's buffer (builtins/printf_record.h), and kernels that can
// reach one get `kPrintfAttribute`. The formats and strings that records name are left in the module's
// metadata. What cannot be printed is an error, which the context's diagnostic handler is told. Does nothing
// in modules that do not declare printf.
struct LowerPrintf : llvm::PassInfoMixin<LowerPrintf> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// The texts that records name, which LowerPrintf left in the module, by their numbers. The module is rid of them.
std::vector<std::string> take_printf_texts(llvm::Module& module);

}  // namespace clcuda::compiler
