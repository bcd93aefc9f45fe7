// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr unsigned most_cases = 512;

}  // namespace

void limit_jump_tables(llvm::Module& module, const Lowering&) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction);
      if (choice && choice->getNumCases() > most_cases) function.addFnAttr("no-jump-tables", "true");
    }
  }
}

}  // namespace clcuda::compiler
