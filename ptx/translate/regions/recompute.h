// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <unordered_map>

namespace clcuda::ptx {

// Whether a value is a short computation from what never changes for a work-item: its ids, parameters,
// constants.
bool can_recompute(llvm::Instruction& value);

// Computes such values again in a function with the same parameters. `places` says which stack places stand
// for which values by now.
class Recomputation {
 public:
  using Places = std::unordered_map<llvm::Value*, llvm::Value*>;
  Recomputation(llvm::Function& into, llvm::IRBuilder<>& builder, const Places& places)
      : into_(into), builder_(builder), places_(places) {}
  llvm::Value* of(llvm::Value& value);

 private:
  llvm::Function& into_;
  llvm::IRBuilder<>& builder_;
  const Places& places_;
  std::unordered_map<llvm::Value*, llvm::Value*> done_;
};

}  // namespace clcuda::ptx
