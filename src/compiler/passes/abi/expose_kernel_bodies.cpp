// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/expose_kernel_bodies.h"

#include <llvm/IR/Module.h>

#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses ExposeKernelBodies::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (function.getName().starts_with(kKernelBodyPrefix)) {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    if (is_kernel(function)) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    } else {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
