// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/pass_observer.h"

#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include <utility>

namespace clcuda::compiler {
namespace {

PassObserver& the_observer() {
  static PassObserver observer;
  return observer;
}

// The module that contains the unit on which a pass ran.
const llvm::Module* module_of(const llvm::Any& unit) {
  if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit)) return *module;
  if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit)) return (*function)->getParent();
  if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit)) return (*loop)->getHeader()->getModule();
  if (const auto* component = llvm::any_cast<const llvm::LazyCallGraph::SCC*>(&unit))
    return (*component)->begin()->getFunction().getParent();
  return nullptr;
}

}  // namespace

void set_pass_observer(PassObserver observer) { the_observer() = std::move(observer); }

void observe(std::string_view pass, const llvm::Module& module) {
  if (the_observer()) the_observer()(pass, module);
}

void observe_passes(llvm::PassInstrumentationCallbacks& callbacks) {
  if (!the_observer()) return;
  callbacks.registerAfterPassCallback(
      [](llvm::StringRef pass, const llvm::Any& unit, const llvm::PreservedAnalyses&) {
        if (const llvm::Module* module = module_of(unit)) observe(pass, *module);
      });
}

}  // namespace clcuda::compiler
