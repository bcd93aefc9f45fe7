// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/limit_inlining.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clcuda::compiler {
namespace {

// LLVM judges each call on its own. It does not check how large a function becomes by inlining a thousand small calls.
constexpr std::uint64_t kMostInFunction = 40'000, kMostInProgram = 400'000;  // instructions
// Functions that are larger are not inlined (raise_inline_threshold.h).
constexpr std::uint64_t kLargestInlined = 8'000;

class Sizes {
 public:
  // To be called for callees before their callers.
  void take(llvm::Function& function) {
    const std::uint64_t own = function.getInstructionCount();
    std::uint64_t size = own;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      const std::uint64_t more = callee ? sizes_.lookup(callee) : 0;
      const bool must = callee && callee->hasFnAttribute(llvm::Attribute::AlwaysInline);
      if (more == 0 || (more > kLargestInlined && !must)) continue;
      if (must || (size + more <= kMostInFunction && grown_ + size - own + more <= kMostInProgram))
        size += more;
      else
        call->setIsNoInline();
    }
    sizes_[&function] = size;
    grown_ += size - own;
  }

 private:
  llvm::DenseMap<const llvm::Function*, std::uint64_t> sizes_;
  std::uint64_t grown_ = 0;
};

}  // namespace

llvm::PreservedAnalyses LimitInlining::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  Sizes sizes;
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component) {
    for (const llvm::CallGraphNode* node : *component)
      if (llvm::Function* function = node->getFunction(); function && !function->isDeclaration())
        sizes.take(*function);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
