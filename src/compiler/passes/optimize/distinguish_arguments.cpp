// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/distinguish_arguments.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <vector>

#include "compiler/lowering.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// Whether a value of the type may hold an address in global memory.
bool holds_address(const llvm::Type* type) {
  if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(type->getScalarType()))
    return pointer->getAddressSpace() == kGlobalSpace || pointer->getAddressSpace() == kGenericSpace;
  return llvm::any_of(type->subtypes(), holds_address);
}

bool is_made_of_number(const llvm::Value* value) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
  return expression && (expression->getOpcode() == llvm::Instruction::IntToPtr ||
                        llvm::any_of(expression->operands(), is_made_of_number));
}

// A callee that the program defines is examined on its own.
bool finds_address(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return !call.isInlineAsm() || holds_address(call.getType());
  return holds_address(call.getType()) && callee->isDeclaration() &&
         callee->getIntrinsicID() != llvm::Intrinsic::ptrmask;
}

// Whether the instruction yields an address that comes from neither an argument nor a variable of the function.
bool finds_address(const llvm::Instruction& instruction) {
  if (llvm::any_of(instruction.operands(), is_made_of_number)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return finds_address(*call);
  return holds_address(instruction.getType()) &&
         !llvm::isa<llvm::AllocaInst, llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst,
                    llvm::AddrSpaceCastInst, llvm::FreezeInst, llvm::ExtractElementInst,
                    llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::ExtractValueInst,
                    llvm::InsertValueInst>(instruction);
}

bool finds_address(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction& instruction) { return finds_address(instruction); });
}

std::vector<llvm::Argument*> global_pointers(llvm::Function& kernel) {
  std::vector<llvm::Argument*> pointers;
  for (llvm::Argument& argument : kernel.args()) {
    const auto* type = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    if (!type || type->getAddressSpace() != kGlobalSpace || argument.hasByValAttr()) continue;
    // In LLVM IR, images, pipes and queues are pointers too.
    const llvm::StringRef name = argument_text(kernel, "kernel_arg_base_type", argument.getArgNo());
    const bool is_pointer = name.ends_with("*") || name.contains('&');
    if (is_pointer && !argument_text(kernel, "kernel_arg_type_qual", argument.getArgNo()).contains("pipe"))
      pointers.push_back(&argument);
  }
  return pointers;
}

void make_distinct(llvm::Argument& pointer) {
  if (pointer.hasNoAliasAttr()) return;
  pointer.addAttr(llvm::Attribute::NoAlias);
  pointer.getParent()->addParamAttr(pointer.getArgNo(),
                                    llvm::Attribute::get(pointer.getContext(), kDistinctAttribute));
}

}  // namespace

DistinguishArguments::DistinguishArguments(const Lowering& lowering)
    : applies_(lowering.variant == Variant::uniform && !lowering.arguments_overlap &&
               !lowering.options.disable_optimization) {}

llvm::PreservedAnalyses DistinguishArguments::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& analyses) const {
  if (!applies_) return llvm::PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::Function* kernel : kernels_of(module)) {
    const std::vector<llvm::Argument*> pointers = global_pointers(*kernel);
    if (pointers.size() < 2) continue;
    const std::vector<llvm::Function*> reached = reached_from(*kernel);
    for (llvm::Function* function : reached)
      functions.invalidate(*function,
                           llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(*function, functions));
    if (llvm::any_of(reached, [](const llvm::Function* function) { return finds_address(*function); }))
      continue;
    for (llvm::Argument* pointer : pointers) make_distinct(*pointer);
    kernel->addFnAttr(kDistinctArgumentsAttribute);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
