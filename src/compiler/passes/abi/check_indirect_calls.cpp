// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/check_indirect_calls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

bool is_local_variable(const llvm::Value* value) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
    return variable->getAddressSpace() == kLocalSpace;
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
  return expression && llvm::any_of(expression->operands(), is_local_variable);
}

// Among LLVM's intrinsics, those of barriers and of sub-groups are convergent.
bool involves_others(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isIntrinsic() && callee->isConvergent();
}

// Why the function cannot be called without its kernel's knowledge; empty if it can.
std::string problem_with(llvm::Function& function) {
  for (const llvm::Function* reached : reached_from(function)) {
    for (const llvm::Instruction& instruction : llvm::instructions(*reached)) {
      if (llvm::any_of(instruction.operands(), is_local_variable)) return "it uses local memory";
      if (involves_others(instruction)) return "it has a barrier, or functions of sub-groups";
    }
  }
  return {};
}

}  // namespace

llvm::PreservedAnalyses CheckIndirectCalls::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::string problems;
  if (indirect_calls(module).empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Function* function : addressed_functions(module)) {
    const std::string problem = problem_with(*function);
    if (problem.empty()) continue;
    problems += (problems.empty() ? "" : "\n") + ("error: function '" + function->getName().str()) +
                "' cannot be called through a pointer: " + problem;
  }
  if (!problems.empty()) throw ProgramError{problems};
  return llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
