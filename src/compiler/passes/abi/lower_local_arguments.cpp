// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_local_arguments.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

bool is_local_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kLocalSpace;
}

void lower(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::GlobalVariable& memory = dynamic_local_memory(*kernel.getParent());
  llvm::SmallVector<llvm::Type*> types;
  llvm::AttributeList attributes = kernel.getAttributes();
  for (const llvm::Argument& argument : kernel.args()) {
    if (!is_local_pointer(argument.getType())) {
      types.push_back(argument.getType());
      continue;
    }
    types.push_back(llvm::Type::getInt32Ty(context));
    attributes = attributes.removeParamAttributes(context, argument.getArgNo());
    // The driver starts dynamic shared memory where this alignment asks for.
    memory.setAlignment(std::max(memory.getAlign().valueOrOne(), argument.getParamAlign().valueOrOne()));
  }
  change_parameters(kernel, types, attributes, [&](llvm::Function& changed, unsigned index) -> llvm::Value* {
    llvm::Argument* argument = changed.getArg(index);
    const bool lowered =
        argument->getType()->isIntegerTy(32) && is_local_pointer(kernel.getArg(index)->getType());
    if (!lowered) return argument;
    llvm::IRBuilder<> builder(&*changed.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), &memory, argument);
  });
}

}  // namespace

llvm::PreservedAnalyses LowerLocalArguments::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* kernel : kernels_of(module)) {
    if (std::ranges::any_of(kernel->args(),
                            [](const auto& argument) { return is_local_pointer(argument.getType()); })) {
      lower(*kernel);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
