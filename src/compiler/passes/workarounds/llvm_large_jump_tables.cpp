// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/llvm_large_jump_tables.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

constexpr unsigned kMostCases = 512;

}  // namespace

llvm::PreservedAnalyses LlvmLargeJumpTables::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction);
    if (choice && choice->getNumCases() > kMostCases) function.addFnAttr("no-jump-tables", "true");
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
