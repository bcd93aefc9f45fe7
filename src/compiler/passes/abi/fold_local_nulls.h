// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/compiled_program.h"

namespace clcuda::compiler {

// From this architecture on no variable lies at the beginning of shared memory, and an address there is the low half of the generic
// one. Before, one is the other and a constant, by which the null pointers go over into each other.
inline constexpr int kFirstArchitectureWithLocalNulls = 90;

// The null pointer of `local` is the number 0, as in variables without a value. Clang writes it as the
// generic one converted, which the hardware converts to the address at which shared memory begins. Such
// constants become nulls of the space that they are converted to, which the optimiser understands. Does
// nothing before sm_90, where one null is the other by a constant.
class FoldLocalNulls : public llvm::PassInfoMixin<FoldLocalNulls> {
 public:
  explicit FoldLocalNulls(const Target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
  static bool isRequired() { return true; }

 private:
  Target target_;
};

}  // namespace clcuda::compiler
