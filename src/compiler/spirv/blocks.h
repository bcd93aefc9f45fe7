// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/spirv/instruction.h"

namespace llvm {
class MDNode;
}

namespace clcuda::compiler::spirv {

// The blocks of a function by their labels, and the hints of its loops.
class Blocks {
 public:
  Blocks(llvm::Function& function, llvm::IRBuilder<>& builder) : function_(function), builder_(builder) {}

  // Makes a block for each OpLabel.
  void create(const std::vector<Instruction>& body);
  llvm::BasicBlock* at(std::uint32_t label) const;

  void begin(std::uint32_t label);
  // The current block has its terminator now.
  void end();
  bool is_open() const { return open_ != 0; }

  // Where the block of a label ends, which families may have gone on in blocks of their own.
  llvm::BasicBlock* end_of(std::uint32_t label) const;

  void set_loop(llvm::MDNode* hints);

  // Once all blocks have their terminators: gives the loops their hints.
  void complete();

 private:
  struct Loop {
    llvm::BasicBlock* header;
    llvm::MDNode* hints;
  };

  void complete_loop(const Loop& loop);

  llvm::Function& function_;
  llvm::IRBuilder<>& builder_;
  std::unordered_map<std::uint32_t, llvm::BasicBlock*> starts_, ends_;
  std::unordered_map<const llvm::BasicBlock*, std::size_t> order_;
  std::vector<Loop> loops_;
  std::uint32_t open_ = 0;  // the label of the current block; 0: none
};

}  // namespace clcuda::compiler::spirv
