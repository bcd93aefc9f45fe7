// SPDX-License-Identifier: Apache-2.0
#include "compiler/sampler_check.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>

namespace clcuda::compiler {
namespace {

// The integer of a literal sampler that a variable has, in the end; null for others.
clang::Expr* literal_of(const clang::VarDecl& variable) {
  clang::Expr* value = const_cast<clang::Expr*>(variable.getAnyInitializer());
  while (value) {
    value = value->IgnoreParens();
    if (auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
      value = cast->getSubExpr();
      if (cast->getCastKind() == clang::CK_IntToOCLSampler) return value;
      continue;
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(value);
    const auto* other = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    value = other ? const_cast<clang::Expr*>(other->getAnyInitializer()) : nullptr;
  }
  return nullptr;
}

// The integer, if the expression is a literal sampler of the function around a block.
clang::Expr* captured_literal(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParens());
  const auto* variable = reference && reference->refersToEnclosingVariableOrCapture()
                             ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                             : nullptr;
  return variable && variable->getType()->isSamplerT() ? literal_of(*variable) : nullptr;
}

class SamplerCheck final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  explicit SamplerCheck(clang::DiagnosticsEngine& diagnostics)
      : diagnostics_(diagnostics),
        message_(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                             "a sampler must be a constant or a kernel argument")) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool VisitCastExpr(clang::CastExpr* cast) override {
    if (clang::Expr* literal = captured_literal(*cast->getSubExpr());
        literal && cast->getCastKind() == clang::CK_LValueToRValue) {
      cast->setCastKind(clang::CK_IntToOCLSampler);
      cast->setSubExpr(literal);
    }
    if (cast->getCastKind() != clang::CK_IntToOCLSampler) return true;
    const clang::Expr* value = cast->getSubExpr();
    clang::Expr::EvalResult result;
    if (!value->isValueDependent() && !value->EvaluateAsInt(result, *context_))
      diagnostics_.Report(value->getExprLoc(), message_) << value->getSourceRange();
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (clang::Expr* literal = variable->getInit() ? captured_literal(*variable->getInit()) : nullptr)
      variable->setInit(clang::ImplicitCastExpr::Create(*context_, variable->getType().getUnqualifiedType(),
                                                        clang::CK_IntToOCLSampler, literal, nullptr,
                                                        clang::VK_PRValue, clang::FPOptionsOverride()));
    return true;
  }

  bool VisitBlockDecl(clang::BlockDecl* block) override {
    llvm::SmallVector<clang::BlockDecl::Capture> captures;
    for (const clang::BlockDecl::Capture& capture : block->captures()) {
      const clang::VarDecl& variable = *capture.getVariable();
      if (!variable.getType()->isSamplerT() || !literal_of(variable)) captures.push_back(capture);
    }
    if (captures.size() < block->getNumCaptures())
      block->setCaptures(*context_, captures, block->capturesCXXThis());
    return true;
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
  unsigned message_;
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> create_sampler_check(clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<SamplerCheck>(diagnostics);
}

}  // namespace clcuda::compiler
