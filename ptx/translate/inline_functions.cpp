// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/inline_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/syntax/parse_error.h"
#include "ptx/translate/markers.h"

namespace clcuda::ptx {
namespace {

constexpr unsigned kSmallFunction = 200;              // instructions
constexpr std::size_t kMostInstructions = 2'000'000;  // of one function after inlining

// Without the prefix that ProgramDeclarations gives it.
std::string name_in_ptx(const llvm::Function& function) {
  return function.getName().split('.').second.split('.').second.str();
}

class Inliner {
 public:
  explicit Inliner(llvm::Module& module) {
    for (llvm::Function& function : module) {
      if (function.isDeclaration()) continue;
      functions_.push_back(&function);
    }
    find_suspending(module);
  }

  void run() {
    for (llvm::Function* function : functions_) flatten(*function);
    // Functions that can suspend are inlined into kernels only. If they were inlined into each other first, each function of a long chain
    // would hold a copy of all those that it leads to.
    std::vector<llvm::Function*> inlined;
    for (llvm::Function* function : callees_first_) {
      if (function->use_empty())
        inline_suspending(*function);
      else
        inlined.push_back(function);
    }
    for (llvm::Function* function : llvm::reverse(inlined)) function->eraseFromParent();
  }

 private:
  // Finds the functions that can suspend: they call a marker, directly or through other functions.
  void find_suspending(llvm::Module& module) {
    std::vector<llvm::Function*> open;
    for (const char* marker : {kSuspendMarker, kExitMarker})
      if (auto* function = module.getFunction(marker)) open.push_back(function);
    while (!open.empty()) {
      llvm::Function* callee = open.back();
      open.pop_back();
      for (llvm::User* user : callee->users()) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call || call->getCalledFunction() != callee) {
          if (!callee->isDeclaration())
            throw ParseError(0, "'" + name_in_ptx(*callee) +
                                    "', a function with barriers, warp operations or exit, is called through "
                                    "a pointer");
          continue;
        }
        if (suspending_.insert(call->getFunction()).second) open.push_back(call->getFunction());
      }
    }
  }

  static std::vector<llvm::CallBase*> calls_in(llvm::Function& function) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) calls.push_back(call);
    return calls;
  }

  // In instructions. A function is counted once, and again after it was flattened.
  std::size_t size(const llvm::Function& function) {
    const auto [found, is_new] = sizes_.try_emplace(&function);
    if (is_new) found->second = function.getInstructionCount();
    return found->second;
  }

  bool is_small(const llvm::Function& function) {
    return !function.isDeclaration() && size(function) <= kSmallFunction;
  }

  // `caller_size` is the sum of the sizes of the caller and of what was inlined into it. Returns the calls in the inlined code.
  llvm::SmallVector<llvm::CallBase*, 8> inline_call(llvm::CallBase& call, std::size_t& caller_size) {
    caller_size += size(*call.getCalledFunction());
    if (caller_size > kMostInstructions) throw ParseError(0, "a kernel is too large after inlining");
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(call, info);
    return std::move(info.InlinedCallSites);
  }

  // Inlines the small functions that cannot suspend into `function`, after doing the same in each callee. The last call comes first: the
  // instructions behind a call move to another block.
  void flatten(llvm::Function& function) {
    if (done_.contains(&function)) return;
    open_.insert(&function);
    std::size_t grown = size(function);
    const std::vector<llvm::CallBase*> calls = calls_in(function);
    for (llvm::CallBase* call : llvm::reverse(calls)) {
      llvm::Function* callee = call->getCalledFunction();
      if (!callee) continue;
      const bool suspends = suspending_.contains(callee);
      if (!suspends && !is_small(*callee)) continue;
      if (open_.contains(callee)) {
        if (suspends)
          throw ParseError(0, "recursion through a function with barriers, warp operations or exit");
        continue;
      }
      flatten(*callee);
      if (!suspends && is_small(*callee)) inline_call(*call, grown);
    }
    if (grown != size(function)) sizes_[&function] = function.getInstructionCount();
    open_.erase(&function);
    done_.insert(&function);
    if (suspending_.contains(&function)) callees_first_.push_back(&function);
  }

  // Inlines all functions that can suspend into `function`.
  void inline_suspending(llvm::Function& function) {
    std::size_t grown = size(function);
    std::vector<llvm::CallBase*> calls = calls_in(function);
    while (!calls.empty()) {
      llvm::CallBase* call = calls.back();
      calls.pop_back();
      if (suspending_.contains(call->getCalledFunction()))
        llvm::append_range(calls, inline_call(*call, grown));
    }
  }

  std::vector<llvm::Function*> functions_;
  std::set<llvm::Function*> suspending_, open_, done_;
  std::vector<llvm::Function*> callees_first_;  // those that can suspend and have been flattened
  std::unordered_map<const llvm::Function*, std::size_t> sizes_;
};

}  // namespace

void inline_functions(llvm::Module& module) { Inliner(module).run(); }

}  // namespace clcuda::ptx
