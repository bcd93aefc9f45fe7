// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/passes.h"

namespace clcuda::compiler {

void expose_kernel_bodies(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (function.getName().starts_with("__clang_ocl_kern_imp_")) {
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
}

}  // namespace clcuda::compiler
