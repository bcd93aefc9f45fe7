// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/optimization_budget.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>

namespace clcuda::ptx {
namespace {

constexpr std::size_t kBudget = 20'000;  // instructions; compiled in about a second

// Each suspension adds a function with loops, which costs as much as this many instructions. A usual barrier costs less.
constexpr std::size_t kCostOfBarrier = 80, kCostOfOther = 320;
// The loop vectoriser compares the accesses of a loop pairwise. This many pairs cost as much as an instruction.
constexpr std::size_t kPairsForAnInstruction = 12;
// A kernel with more suspensions other than barriers spends its time in them, not in its small regions.
constexpr std::ptrdiff_t kFewOthers = 4;
constexpr unsigned kSmallRegion = 100;  // instructions
// With very many suspensions, small regions are most of the code to compile. A run through one without a loop is short compared with the
// scheduler: without optimisation, a kernel that consists of warp operations takes 1.1 times as long to run and a quarter of the time to
// build.
constexpr std::ptrdiff_t kManyOthers = 16;
constexpr unsigned kShortWay = 160;  // instructions

bool is_barrier(Wait wait) { return wait == Wait::block_barrier; }

std::size_t cost_of_suspensions(std::span<const KernelCode> kernels) {
  std::size_t cost = 0;
  for (const KernelCode& kernel : kernels)
    for (const Wait wait : kernel.waits) cost += is_barrier(wait) ? kCostOfBarrier : kCostOfOther;
  return cost;
}

std::size_t instructions_of(const llvm::Module& module) {
  std::size_t count = 0;
  for (const llvm::Function& function : module) count += function.getInstructionCount();
  return count;
}

std::size_t cost_of_vectorizing(const llvm::Function& item) {
  const auto accesses = static_cast<std::size_t>(llvm::count_if(
      llvm::instructions(item),
      [](const llvm::Instruction& instruction) { return instruction.mayReadOrWriteMemory(); }));
  return accesses * accesses / kPairsForAnInstruction;
}

std::ptrdiff_t count_others(std::span<const Wait> waits) {
  return std::ranges::count_if(waits, [](Wait wait) { return !is_barrier(wait); });
}

bool has_loop(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

}  // namespace

OptimizationBudget optimization_budget_for(const llvm::Module& module, std::span<const KernelCode> kernels) {
  // With many suspensions, the time is not spent in the code between them. Long code without many suspensions is still optimised, but
  // machine code is generated quickly.
  if (cost_of_suspensions(kernels) > kBudget) return OptimizationBudget::least;
  return instructions_of(module) > kBudget ? OptimizationBudget::quick_code : OptimizationBudget::usual;
}

bool is_worth_vectorizing(const llvm::Function& item, std::span<const Wait> waits) {
  if (cost_of_vectorizing(item) > kBudget) return false;
  return count_others(waits) <= kFewOthers || item.getInstructionCount() > kSmallRegion;
}

bool is_worth_optimizing(const llvm::Function& item, std::span<const Wait> waits) {
  return count_others(waits) <= kManyOthers || item.getInstructionCount() > kShortWay || has_loop(item);
}

}  // namespace clcuda::ptx
