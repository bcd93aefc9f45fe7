// SPDX-License-Identifier: Apache-2.0
#include "compiler/single_precision_constants.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <utility>

namespace clcuda::compiler {
namespace {

class RoundConstants final : public clang::ASTConsumer, public clang::DynamicRecursiveASTVisitor {
 public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool TraverseVarDecl(clang::VarDecl* variable) override {
    const bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
    compute_again(*variable);
    return goes_on;
  }

  bool VisitFloatingLiteral(clang::FloatingLiteral* literal) override {
    if (!literal->getType()->isSpecificBuiltinType(clang::BuiltinType::Double)) return true;
    llvm::APFloat value = literal->getValue();
    bool lost = false;
    for (const llvm::fltSemantics* form : {&llvm::APFloat::IEEEsingle(), &literal->getSemantics()})
      value.convert(*form, llvm::APFloat::rmNearestTiesToEven, &lost);
    literal->setValue(*context_, value);
    return true;
  }

 private:
  // Clang has already evaluated the initialiser of a constexpr variable, at its declaration, so it is evaluated again.
  void compute_again(clang::VarDecl& variable) {
    clang::EvaluatedStmt* computed = variable.getEvaluatedStmt();
    if (!computed || !computed->WasEvaluated || variable.getInit()->isValueDependent()) return;
    clang::APValue value;
    llvm::SmallVector<clang::PartialDiagnosticAt> notes;
    if (variable.getInit()->EvaluateAsInitializer(value, *context_, &variable, notes, variable.isConstexpr()))
      computed->Evaluated = std::move(value);
  }

  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> create_constant_rounding() { return std::make_unique<RoundConstants>(); }

}  // namespace clcuda::compiler
