// SPDX-License-Identifier: Apache-2.0
#include "compiler/inline_kernels.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace clcuda::compiler {
namespace {

class InlineKernels final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->hasAttr<clang::DeviceKernelAttr>()) function->setInlineSpecified(false);
    return true;
  }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> create_inline_kernels() { return std::make_unique<InlineKernels>(); }

}  // namespace clcuda::compiler
