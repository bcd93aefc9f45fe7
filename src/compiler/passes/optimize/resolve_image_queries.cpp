// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/resolve_image_queries.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/optimize/specialize_image_queries.h"

namespace clcuda::compiler {

llvm::PreservedAnalyses ResolveImageQueries::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const ImageQuery query = call ? image_query_of(*call) : ImageQuery::none;
    if (query == ImageQuery::none) continue;
    call->replaceAllUsesWith(query == ImageQuery::read_is_known
                                 ? llvm::ConstantInt::getFalse(function.getContext())
                                 : call->getArgOperand(1));
    call->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
