// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
}  // namespace llvm

namespace clcuda::compiler {

// A compare-exchange: LLVM's instruction, or the inline assembly of builtins/atomics_compare_exchange.cl.
struct Exchange {
  llvm::Instruction* instruction = nullptr;
  llvm::Value* address = nullptr;
  llvm::Value* expected = nullptr;
  llvm::Value* desired = nullptr;
};

// A loop of one block that adds to a number in memory by compare-exchange, and does nothing else.
struct AddingLoop {
  llvm::BasicBlock* block = nullptr;
  llvm::BasicBlock* before = nullptr;  // the only other predecessor
  llvm::BasicBlock* exit = nullptr;
  Exchange exchange;
  llvm::Instruction* old = nullptr;  // what is expected: a load, or a phi
  llvm::Instruction* sum = nullptr;
  llvm::Value* operand = nullptr;  // of the sum; computed ahead of the loop
  bool subtracts = false;
};

// The loop that a block is, if it is one.
std::optional<AddingLoop> adding_loop(llvm::BasicBlock& block);

// True for a load with relaxed order at most of what the exchange is done on.
bool reads(llvm::Value* value, const Exchange& exchange);

// True for a fence of inline assembly (builtins/memory_order.h) or LLVM's.
bool is_fence(const llvm::Instruction& instruction);

// The value whose bits another one takes as a number of another kind.
llvm::Value* source_of_bits(llvm::Value* value);

}  // namespace clcuda::compiler
