// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr float language_bound = 2.5f;  // ulp, OpenCL C §7.4: x / y in single precision
constexpr float div_full_error = 2.0f;  // ulp, over the full range

llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y, llvm::Intrinsic::ID how) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return builder.CreateIntrinsic(builder.getFloatTy(), how, {x, y});
  llvm::Value* result = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::Value* quotient =
        divide(builder, builder.CreateExtractElement(x, i), builder.CreateExtractElement(y, i), how);
    result = builder.CreateInsertElement(result, quotient, i);
  }
  return result;
}

bool may_relax(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() != llvm::Instruction::FDiv ||
      !instruction.getType()->getScalarType()->isFloatTy())
    return false;
  static_assert(div_full_error <= language_bound);
  return llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy() >= language_bound;
}

}  // namespace

void relax_division(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    const auto how =
        flushes_subnormals(function) ? llvm::Intrinsic::nvvm_div_full_ftz : llvm::Intrinsic::nvvm_div_full;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (!may_relax(instruction)) continue;
        llvm::IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(
            divide(builder, instruction.getOperand(0), instruction.getOperand(1), how));
        instruction.eraseFromParent();
      }
    }
  }
}

}  // namespace clcuda::compiler
