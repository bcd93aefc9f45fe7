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

// The LLVM blocks of a function by the ids of their labels, and the unroll hints of its loops (OpLoopMerge). Used in this order:
//
//   blocks.create(body);                        // all OpLabel
//   blocks.begin(label); … blocks.end();        // for each block; `builder` stands at the end of the block in between
//   blocks.complete();
//
// Throws ProgramError for labels that do not exist and blocks without a terminator.
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

  // The last LLVM block of a label's block: an instruction may have split it, and a phi has to name the last one.
  llvm::BasicBlock* end_of(std::uint32_t label) const;

  // The current block is the header of a loop with these hints (llvm.loop).
  void set_loop(llvm::MDNode* hints);

  // Once all blocks have terminators: attaches the hints to the branches that close the loops.
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
