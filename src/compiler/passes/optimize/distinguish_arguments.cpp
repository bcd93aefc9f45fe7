// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/distinguish_arguments.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <vector>

#include "compiler/lowering.h"
#include "compiler/parts_of_types.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// Whether values of the type, other than arrays and structures, may hold an address in global memory.
bool is_address(const llvm::Type* type) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(type->getScalarType());
  return pointer &&
         (pointer->getAddressSpace() == kGlobalSpace || pointer->getAddressSpace() == kGenericSpace);
}

bool is_made_of_number(const llvm::Value* value) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
  return expression && (expression->getOpcode() == llvm::Instruction::IntToPtr ||
                        llvm::any_of(expression->operands(), is_made_of_number));
}

// A callee that the program defines is examined on its own.
bool finds_address(const llvm::CallBase& call, PartsOfTypes& addresses) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return !call.isInlineAsm() || addresses.are_in(call.getType());
  return addresses.are_in(call.getType()) && callee->isDeclaration() &&
         callee->getIntrinsicID() != llvm::Intrinsic::ptrmask;
}

// Whether the instruction yields an address that comes from neither an argument nor a variable of the function.
bool finds_address(const llvm::Instruction& instruction, PartsOfTypes& addresses) {
  if (llvm::any_of(instruction.operands(), is_made_of_number)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return finds_address(*call, addresses);
  return addresses.are_in(instruction.getType()) &&
         !llvm::isa<llvm::AllocaInst, llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst,
                    llvm::AddrSpaceCastInst, llvm::FreezeInst, llvm::ExtractElementInst,
                    llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::ExtractValueInst,
                    llvm::InsertValueInst>(instruction);
}

bool finds_address(const llvm::Function& function, PartsOfTypes& addresses) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return finds_address(instruction, addresses);
  });
}

// The functions among those given that find an address, and all that call them.
llvm::SetVector<llvm::Function*> finding_addresses(llvm::Module& module,
                                                   std::vector<llvm::Function*> functions) {
  PartsOfTypes addresses(is_address);
  std::erase_if(functions, [&](const llvm::Function* each) { return !finds_address(*each, addresses); });
  return reaching(module, functions);
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
  std::vector<llvm::Function*> kernels = kernels_of(module);
  std::erase_if(kernels, [](llvm::Function* kernel) { return global_pointers(*kernel).size() < 2; });
  const std::vector<llvm::Function*> reached = reached_from(kernels);
  for (llvm::Function* function : reached)
    functions.invalidate(*function, llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(*function, functions));
  const llvm::SetVector<llvm::Function*> excluded = finding_addresses(module, reached);
  for (llvm::Function* kernel : kernels) {
    if (excluded.contains(kernel)) continue;
    for (llvm::Argument* pointer : global_pointers(*kernel)) make_distinct(*pointer);
    kernel->addFnAttr(kDistinctArgumentsAttribute);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
