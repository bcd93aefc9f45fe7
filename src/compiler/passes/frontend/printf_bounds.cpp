// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/frontend/printf_bounds.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include <optional>
#include <string>

#include "builtins/printf_record.h"
#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// A bound larger than any printf buffer is as good as no bound.
constexpr std::uint64_t kMostBytes = 1 << 20;

// The blocks that may run more than once in one call of their function.
llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks_in_cycles(llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks;
  for (auto component = llvm::scc_begin(&function); !component.isAtEnd(); ++component)
    if (component.hasCycle()) blocks.insert(component->begin(), component->end());
  return blocks;
}

// The functions from which calls of printf can be reached, callees before their callers (except in recursion).
class PrintingFunctions {
 public:
  PrintingFunctions(llvm::Module& module, llvm::ArrayRef<llvm::CallInst*> calls) {
    Callers callers(module);
    for (llvm::CallInst* call : calls) add(*call, printf_record_size(*call));
    for (unsigned i = 0; i < functions_.size(); ++i) {
      for (llvm::User* user : functions_[i]->users()) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call && call->getCalledFunction() == functions_[i])
          add(*call, std::nullopt);
        else if (!is_kernel(*functions_[i]))
          callers_are_known_ = false;
      }
      callers.add_through_pointers(*functions_[i], functions_);
    }
  }

  llvm::ArrayRef<llvm::Function*> all() const { return functions_.getArrayRef(); }

  // The most bytes that one call of the function prints; nothing if unknown.
  std::optional<std::uint64_t> bound(llvm::Function& function) {
    if (!callers_are_known_) return std::nullopt;
    const auto [known, fresh] =
        bounds_.try_emplace(&function, std::nullopt);  // stays the result during recursion
    if (!fresh) return known->second;
    const std::optional<std::uint64_t> sum = sum_of_calls(function);
    return bounds_[&function] = sum;
  }

 private:
  struct Call {
    llvm::CallBase* call;
    std::optional<std::uint64_t> printed;  // the size of printf's own record; empty for other functions
  };

  void add(llvm::CallBase& call, std::optional<std::uint64_t> printed) {
    functions_.insert(call.getFunction());
    calls_[call.getFunction()].push_back({&call, printed});
  }

  std::optional<std::uint64_t> sum_of_calls(llvm::Function& function) {
    const auto repeated = blocks_in_cycles(function);
    std::uint64_t sum = 0;
    const llvm::SmallVector<Call, 4> calls = calls_[&function];
    for (const Call& call : calls) {
      if (repeated.contains(call.call->getParent())) return std::nullopt;
      const std::optional<std::uint64_t> printed =
          call.printed ? call.printed : bound(*call.call->getCalledFunction());
      if (!printed || (sum += *printed) > kMostBytes) return std::nullopt;
    }
    return sum;
  }

  llvm::SetVector<llvm::Function*> functions_;
  llvm::DenseMap<llvm::Function*, llvm::SmallVector<Call, 4>> calls_;
  llvm::DenseMap<llvm::Function*, std::optional<std::uint64_t>> bounds_;
  bool callers_are_known_ = true;
};

}  // namespace

std::uint64_t printf_record_size(const llvm::CallInst& call) {
  std::uint64_t slots = 0;
  for (const llvm::Use& argument : llvm::drop_begin(call.args())) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(argument->getType());
    slots += vector ? vector->getNumElements() : 1;
  }
  return sizeof(clcuda_printf_record) + 8 * slots;
}

void mark_printing_kernels(llvm::Module& module, llvm::ArrayRef<llvm::CallInst*> calls) {
  PrintingFunctions printing(module, calls);
  for (llvm::Function* function : printing.all())
    if (is_kernel(*function))
      function->addFnAttr(kPrintfAttribute, std::to_string(printing.bound(*function).value_or(0)));
}

}  // namespace clcuda::compiler
