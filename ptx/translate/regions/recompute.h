// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <unordered_map>

namespace clcuda::ptx {

// True if a value is a short computation from what is constant for a work-item: its ids, parameters and constants.
bool can_recompute(llvm::Instruction& value);

// Computes such values again in a function with the same parameters, instead of keeping them across a suspension. `places` maps stack
// slots to the values that they hold: a load from one is computed as that value.
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
