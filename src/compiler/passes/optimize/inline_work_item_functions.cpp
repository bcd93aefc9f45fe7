// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/inline_work_item_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

#include <cstdint>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint64_t kMostOwn = 128, kMostInAll = 1024;  // instructions

bool reads_ids(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.")) return true;
  }
  return false;
}

bool may_inline(const llvm::Function& function) {
  return !function.isDeclaration() && !is_kernel(function) &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         !function.hasFnAttribute(llvm::Attribute::OptimizeNone) &&
         function.getInstructionCount() <= kMostOwn;
}

// The instructions of functions to be inlined, with those of the functions that are inlined into them.
using Sizes = llvm::DenseMap<const llvm::Function*, std::uint64_t>;

// Its callees have been decided on.
void decide(llvm::Function& function, Sizes& sizes) {
  if (!may_inline(function)) return;
  bool reads = reads_ids(function);
  std::uint64_t size = function.getInstructionCount();
  for (const llvm::Instruction& each : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&each);
    const auto callee = call ? sizes.find(call->getCalledFunction()) : sizes.end();
    if (callee == sizes.end()) continue;
    reads = true;
    size += callee->second;
  }
  if (!reads || size > kMostInAll) return;
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  sizes[&function] = size;
}

}  // namespace

llvm::PreservedAnalyses InlineWorkItemFunctions::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& analyses) {
  Sizes sizes;
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component)  // callees first
    for (const llvm::CallGraphNode* node : *component)
      if (llvm::Function* function = node->getFunction()) decide(*function, sizes);
  return llvm::AlwaysInlinerPass(/*InsertLifetime=*/true).run(module, analyses);
}

}  // namespace clcuda::compiler
