// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/declare_task_scheduler.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/compiled_program.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/frontend/mark_enqueuing_kernels.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses DeclareTaskScheduler::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (functions_that_enqueue(module).empty()) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = module.getContext();
  auto scheduler = module.getOrInsertFunction(kTaskSchedulerSymbol, llvm::Type::getVoidTy(context),
                                              llvm::PointerType::get(context, kGlobalSpace));
  llvm::appendToUsed(module, {llvm::cast<llvm::GlobalValue>(scheduler.getCallee())});
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
