// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instruction.h>

#include <cstddef>

namespace clcuda::compiler {

// The order of a function's instructions at the first question, for passes that change blocks between questions: LLVM numbers all
// instructions of a block anew after each change of it.
//
//   OriginalOrder order(function);
//   order.is_before(one, other)       // instructions that were in one block
class OriginalOrder {
 public:
  explicit OriginalOrder(llvm::Function& function) : function_(function) {}

  bool is_before(const llvm::Instruction& one, const llvm::Instruction& other) {
    if (numbers_.empty())
      for (const llvm::Instruction& each : llvm::instructions(function_))
        numbers_.try_emplace(&each, numbers_.size());
    return numbers_.lookup(&one) < numbers_.lookup(&other);
  }

 private:
  llvm::Function& function_;
  llvm::DenseMap<const llvm::Instruction*, std::size_t> numbers_;
};

}  // namespace clcuda::compiler
