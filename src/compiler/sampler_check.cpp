// SPDX-License-Identifier: Apache-2.0
#include "compiler/sampler_check.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>

namespace clcuda::compiler {
namespace {

class SamplerCheck final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  explicit SamplerCheck(clang::DiagnosticsEngine& diagnostics)
      : diagnostics_(diagnostics),
        message_(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                             "a sampler must be a constant or a kernel argument")),
        captured_(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                              "a block cannot use the sampler '%0' of the function around "
                                              "it; declare it outside of functions")) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool VisitCastExpr(clang::CastExpr* cast) override {
    if (cast->getCastKind() != clang::CK_IntToOCLSampler) return true;
    const clang::Expr* value = cast->getSubExpr();
    clang::Expr::EvalResult result;
    if (!value->isValueDependent() && !value->EvaluateAsInt(result, *context_))
      diagnostics_.Report(value->getExprLoc(), message_) << value->getSourceRange();
    return true;
  }

  // Clang fails at a block that captures a literal sampler.
  bool VisitBlockDecl(clang::BlockDecl* block) override {
    for (const clang::BlockDecl::Capture& capture : block->captures()) {
      const clang::VarDecl* variable = capture.getVariable();
      if (variable->getType()->isSamplerT() && !llvm::isa<clang::ParmVarDecl>(variable))
        diagnostics_.Report(block->getLocation(), captured_) << variable->getName();
    }
    return true;
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
  unsigned message_, captured_;
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> create_sampler_check(clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<SamplerCheck>(diagnostics);
}

}  // namespace clcuda::compiler
