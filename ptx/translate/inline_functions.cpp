// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/inline_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>

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

  bool wanted(llvm::Function& callee) const {
    return !callee.isDeclaration() &&
           (suspending_.contains(&callee) || callee.getInstructionCount() <= kSmallFunction);
  }

  // Inlines the selected callees into `function`, after doing the same in each callee.
  void flatten(llvm::Function& function) {
    if (done_.contains(&function)) return;
    if (!open_.insert(&function).second) return;
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      llvm::Function* callee = call->getCalledFunction();
      if (!callee || !wanted(*callee)) continue;
      flatten(*callee);
      if (open_.contains(callee)) {
        if (suspending_.contains(callee))
          throw ParseError(0, "recursion through a function with barriers, warp operations or exit");
        continue;
      }
      if (!wanted(*callee)) continue;
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*call, info);
      if (function.getInstructionCount() > kMostInstructions)
        throw ParseError(0, "a kernel is too large after inlining");
    }
    open_.erase(&function);
    done_.insert(&function);
  }

  std::vector<llvm::Function*> functions_;
  std::set<llvm::Function*> suspending_, open_, done_;
};

}  // namespace

void inline_functions(llvm::Module& module) { Inliner(module).run(); }

}  // namespace clcuda::ptx
