// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/preserve_local_nulls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/passes/abi/fold_local_nulls.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

bool points_somewhere(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::all_of(objects, [](const llvm::Value* object) {
    return llvm::isa<llvm::GlobalVariable>(object) || llvm::isa<llvm::AllocaInst>(object);
  });
}

bool can_be_a_null_of_another_space(const llvm::Instruction& instruction) {
  const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
  if (!cast || cast->getType()->isVectorTy()) return false;
  const unsigned from = cast->getSrcAddressSpace(), to = cast->getDestAddressSpace();
  return ((from == kLocalSpace && to == kGenericSpace) || (from == kGenericSpace && to == kLocalSpace)) &&
         !points_somewhere(*cast->getPointerOperand());
}

bool is_between_named_spaces(const llvm::Value& value) {
  const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(&value);
  return cast && !cast->getType()->isVectorTy() && cast->getSrcAddressSpace() != kGenericSpace &&
         cast->getDestAddressSpace() != kGenericSpace;
}

// LLVM folds a conversion to the generic space and on to another named space, as in comparisons (Clang converts the generic pointer to the
// other operand's space), to one conversion between the named spaces, which NVPTX cannot select. It is replaced by the generic address,
// which is not an address in another named space.
void convert_to_generic_address(llvm::AddrSpaceCastInst& cast) {
  llvm::IRBuilder<> builder(&cast);
  llvm::Value* generic =
      builder.CreateAddrSpaceCast(cast.getPointerOperand(), builder.getPtrTy(kGenericSpace));
  llvm::Value* number = builder.CreatePtrToInt(generic, cast.getDataLayout().getIntPtrType(cast.getType()));
  cast.replaceAllUsesWith(builder.CreateIntToPtr(number, cast.getType()));
  cast.eraseFromParent();
}

void convert_to_generic_addresses(llvm::Module& module) {
  llvm::SmallVector<llvm::Constant*> converted;
  for (llvm::GlobalVariable& variable : module.globals())
    if (llvm::any_of(variable.users(), [](const llvm::User* user) { return is_between_named_spaces(*user); }))
      converted.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(converted);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (is_between_named_spaces(instruction))
        convert_to_generic_address(llvm::cast<llvm::AddrSpaceCastInst>(instruction));
}

bool may_be_of_local(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::any_of(objects, [](const llvm::Value* object) {
    return object->getType()->getPointerAddressSpace() == kLocalSpace;
  });
}

bool is_choice_of_null(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::SelectInst, llvm::PHINode>(instruction) && instruction.getType()->isPointerTy() &&
         instruction.getType()->getPointerAddressSpace() == kGenericSpace &&
         llvm::any_of(instruction.operand_values(), llvm::IsaPred<llvm::ConstantPointerNull>) &&
         may_be_of_local(instruction);
}

// An operand of a select or phi, as an integer. A phi must have the same value for all edges from one block.
llvm::Value* number_of(llvm::User& choice, unsigned operand, llvm::Type* type) {
  llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(&choice));
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&choice)) {
    llvm::BasicBlock* block = phi->getIncomingBlock(operand);
    const auto first = static_cast<unsigned>(phi->getBasicBlockIndex(block));
    if (first != operand) return phi->getIncomingValue(first);
    builder.SetInsertPoint(block->getTerminator());
  }
  return builder.CreatePtrToInt(choice.getOperand(operand), type);
}

// NVPTX moves a choice between null and a converted pointer ahead of the conversion, which would convert the null; it does not move a
// choice between integers.
void choose_number(llvm::Instruction& choice) {
  llvm::Type* number = choice.getDataLayout().getIntPtrType(choice.getType());
  llvm::Instruction* chosen = choice.clone();
  chosen->insertBefore(choice.getIterator());
  chosen->mutateType(number);
  for (unsigned i = 0; i < chosen->getNumOperands(); ++i)
    if (choice.getOperand(i)->getType()->isPointerTy()) chosen->setOperand(i, number_of(*chosen, i, number));
  llvm::IRBuilder<> builder(llvm::isa<llvm::PHINode>(choice) ? &*choice.getParent()->getFirstInsertionPt()
                                                             : &choice);
  choice.replaceAllUsesWith(builder.CreateIntToPtr(chosen, choice.getType()));
  choice.eraseFromParent();
}

// Chooses between integers for the same reason as choose_number().
void keep_null(llvm::AddrSpaceCastInst& cast) {
  llvm::IRBuilder<> builder(cast.getNextNode());
  llvm::Value* is_null = builder.CreateIsNull(cast.getPointerOperand());
  llvm::Value* number = builder.CreatePtrToInt(&cast, cast.getDataLayout().getIntPtrType(cast.getType()));
  llvm::Value* chosen =
      builder.CreateSelect(is_null, llvm::Constant::getNullValue(number->getType()), number);
  llvm::Value* kept = builder.CreateIntToPtr(chosen, cast.getType());
  cast.replaceUsesWithIf(kept, [&](const llvm::Use& use) { return use.getUser() != number; });
}

}  // namespace

llvm::PreservedAnalyses PreserveLocalNulls::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager& analyses) const {
  FoldLocalNulls(target_).run(module, analyses);
  convert_to_generic_addresses(module);
  if (architecture_of(target_) < kFirstArchitectureWithLocalNulls) return llvm::PreservedAnalyses::none();
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::Instruction*> conversions, choices;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (can_be_a_null_of_another_space(instruction)) conversions.push_back(&instruction);
      if (is_choice_of_null(instruction)) choices.push_back(&instruction);
    }
    for (llvm::Instruction* conversion : conversions)
      keep_null(*llvm::cast<llvm::AddrSpaceCastInst>(conversion));
    for (llvm::Instruction* choice : choices) choose_number(*choice);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
