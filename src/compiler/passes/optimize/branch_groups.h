// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Use;
class Value;
}  // namespace llvm

namespace clcuda::compiler {

// True if the instruction can move to where its operands are known: it reads and writes no memory.
bool only_computes(const llvm::Instruction& instruction);

// The groups of computations at the end of a block that depend on each other and that only one side of the block's branch uses.
class BranchGroups {
 public:
  enum class Loads {
    stay,
    move,  // simple ones do, if nothing behind them in the block may write
  };

  struct Group {
    llvm::BasicBlock* target = nullptr;             // dominates all uses
    llvm::SmallVector<llvm::Instruction*> members;  // in their order
    llvm::SmallVector<llvm::Instruction*> results;  // the members that others use
    bool takes_more_registers_behind = false;       // its operands against its results
  };

  // No groups are sought ahead of branches with more than 16 targets.
  BranchGroups(llvm::BasicBlock& block, const llvm::DominatorTree& dominators, Loads loads);

  const llvm::SmallVector<Group>& all() const { return groups_; }

 private:
  llvm::BasicBlock* target_of(const llvm::Instruction& instruction) const;
  llvm::BasicBlock* target_of(const llvm::Use& use) const;
  bool is_needed_here_only(const llvm::Value& value);
  void add(llvm::ArrayRef<llvm::Instruction*> members);

  llvm::BasicBlock& block_;
  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::Value*, llvm::BasicBlock*> targets_;
  llvm::DenseMap<const llvm::Value*, bool> needed_here_only_;
  llvm::SmallVector<Group> groups_;
};

}  // namespace clcuda::compiler
