// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/spirv/instruction.h"

namespace llvm {
class MDNode;
}

namespace clcuda::compiler::spirv {

class FunctionReader;

// The blocks of a function by their labels, the phis that wait for values of blocks further down, and the loops' hints.
class Blocks {
 public:
  explicit Blocks(FunctionReader& reader) : reader_(reader) {}

  // Makes a block for each OpLabel.
  void create(const std::vector<Instruction>& body);
  llvm::BasicBlock* at(std::uint32_t label) const;

  void begin(std::uint32_t label);
  // The current block has its terminator now.
  void end();
  bool is_open() const { return open_ != 0; }

  void add_phi(const Instruction& instruction);
  void set_loop(llvm::MDNode* hints);

  // Once all blocks have their terminators: completes what has waited.
  void complete();

 private:
  struct Phi {
    Instruction instruction;
    llvm::PHINode* node;
  };
  struct Loop {
    llvm::BasicBlock* header;
    llvm::MDNode* hints;
  };

  void complete_phi(const Phi& phi);
  void complete_loop(const Loop& loop);

  FunctionReader& reader_;
  std::unordered_map<std::uint32_t, llvm::BasicBlock*> starts_, ends_;
  std::unordered_map<const llvm::BasicBlock*, std::size_t> order_;
  std::vector<Phi> phis_;
  std::vector<Loop> loops_;
  std::uint32_t open_ = 0;  // the label of the current block; 0: none
};

}  // namespace clcuda::compiler::spirv
