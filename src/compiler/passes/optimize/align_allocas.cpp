// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/align_allocas.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clcuda::compiler {

llvm::PreservedAnalyses AlignAllocas::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  constexpr llvm::Align kLongest = llvm::Align::Constant<16>();
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    const auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (size && *size >= kLongest.value()) variable->setAlignment(std::max(variable->getAlign(), kLongest));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
