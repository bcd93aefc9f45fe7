// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {

void align_private_variables(llvm::Module& module, const Lowering&) {
  constexpr llvm::Align longest = llvm::Align::Constant<16>();
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      const auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
      if (size && *size >= longest.value()) variable->setAlignment(std::max(variable->getAlign(), longest));
    }
  }
}

}  // namespace clcuda::compiler
