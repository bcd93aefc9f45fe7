// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/lower_blocks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/build_thread.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

// Clang gives argument metadata only to kernels that the program declares, not to those that it generates for blocks.
bool is_fresh_block_kernel(const llvm::Function& function) {
  return is_kernel(function) && !function.hasMetadata("kernel_arg_addr_space") && function.arg_size() > 0;
}

// The type of a block's literal, found where a literal is constructed: there the block's function is stored in it.
llvm::Type* literal_type(const llvm::Function& body) {
  for (const llvm::Use& use : body.uses()) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::ConstantStruct>(user)) return user->getType();
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || use.getOperandNo() != 0) continue;
    const auto* place = llvm::dyn_cast<llvm::GEPOperator>(store->getPointerOperand());
    if (place && llvm::isa<llvm::StructType>(place->getSourceElementType()))
      return place->getSourceElementType();
  }
  return nullptr;
}

llvm::Function& body_of(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : kernel.getEntryBlock()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
      return *call->getCalledFunction();
  }
  throw CompilerFault{"internal error: the kernel of a block calls nothing"};
}

void take_literal_by_value(llvm::Function& kernel) {
  const llvm::Type* literal = literal_type(body_of(kernel));
  if (!literal) throw CompilerFault{"internal error: a block without a literal"};
  const llvm::DataLayout& layout = kernel.getDataLayout();
  const std::uint64_t size =
      llvm::alignTo(layout.getTypeAllocSize(const_cast<llvm::Type*>(literal)), kBlockLiteralAlignment);
  if (size > kMostBlockLiteralSize)
    throw ProgramError{"error: a block captures more than " + std::to_string(kMostBlockLiteralSize) +
                       " bytes"};
  llvm::LLVMContext& context = kernel.getContext();
  llvm::Argument& argument = *kernel.getArg(0);
  argument.addAttr(
      llvm::Attribute::getWithByValType(context, llvm::ArrayType::get(llvm::Type::getInt8Ty(context), size)));
  argument.addAttr(llvm::Attribute::getWithAlignment(context, kBlockLiteralAlignment));
  // Nothing writes to the parameter, so its own address may be used.
  argument.addAttr(llvm::Attribute::ReadOnly);
  argument.addAttr(llvm::Attribute::get(context, "nvvm.grid_constant"));
  kernel.addFnAttr(kBlockKernelAttribute);
  kernel.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// Whether the module calls any block through its literal, as it does for a block passed as a parameter. All other blocks are called by
// name.
bool calls_through_literals(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && !call->isInlineAsm() && !llvm::isa<llvm::Function>(call->getCalledOperand()))
          return true;
  return false;
}

bool is_block_body(const llvm::Function& function) {
  return function.hasInternalLinkage() && function.getName().contains("_block_invoke") &&
         !is_kernel(function);
}

// Removes the body's address from literals: a function whose address is taken cannot be passed the launch record.
void take_body_out_of_literals(llvm::Function& body) {
  llvm::Constant* null = llvm::ConstantPointerNull::get(body.getType());
  for (llvm::Use& use : llvm::make_early_inc_range(body.uses())) {
    if (llvm::isa<llvm::StoreInst>(use.getUser())) use.set(null);
    if (auto* literal = llvm::dyn_cast<llvm::ConstantStruct>(use.getUser()))
      literal->handleOperandChange(&body, null);
  }
}

}  // namespace

llvm::PreservedAnalyses LowerBlocks::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  bool any = false;
  for (llvm::Function* kernel : kernels_of(module)) {
    if (!is_fresh_block_kernel(*kernel)) continue;
    take_literal_by_value(*kernel);
    any = true;
  }
  if (!calls_through_literals(module)) {
    for (llvm::Function& function : module)
      if (is_block_body(function)) take_body_out_of_literals(function);
  }
  if (any && detailed_errors_) module.getOrInsertNamedMetadata(kDetailedErrorsMetadata);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
