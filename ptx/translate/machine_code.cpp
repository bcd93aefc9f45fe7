// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/machine_code.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <stdexcept>

namespace clcuda::ptx {
namespace {

// LLVM's pass managers respect `optnone` only if a callback is asked before each pass.
bool is_wanted(const llvm::Any& unit) {
  const llvm::Function* function = nullptr;
  if (const auto* found = llvm::any_cast<const llvm::Function*>(&unit)) function = *found;
  if (const auto* found = llvm::any_cast<const llvm::Loop*>(&unit))
    function = (*found)->getHeader()->getParent();
  return !function || !function->hasOptNone();
}

struct Pipeline {
  explicit Pipeline(llvm::TargetMachine& machine) : builder(&machine, options(), std::nullopt, &callbacks) {
    callbacks.registerShouldRunOptionalPassCallback(
        [](llvm::StringRef, const llvm::Any& unit) { return is_wanted(unit); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(call_graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, call_graphs, modules);
  }

  static llvm::PipelineTuningOptions options() {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.LoopInterleaving = true;
    // Loops in PTX have been unrolled already; the remaining ones are over work-items.
    tuning.LoopUnrolling = false;
    tuning.SLPVectorization = true;
    return tuning;
  }

  llvm::PassInstrumentationCallbacks callbacks;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

// Promotes variables to registers and does little else. Takes a tenth of the time.
llvm::ModulePassManager quick_pipeline() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(llvm::GlobalDCEPass());
  return passes;
}

void verify(llvm::Module& module) {
  std::string reason;
  llvm::raw_string_ostream out(reason);
  if (llvm::verifyModule(module, &out))
    throw std::runtime_error("internal error: invalid code was made: " + reason.substr(0, 400));
}

}  // namespace

void simplify(llvm::Module& module, llvm::TargetMachine& machine) {
  verify(module);
  Pipeline pipeline(machine);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, pipeline.modules);
}

std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, OptimizationBudget budget) {
  verify(module);
  // Optimised code generation takes ten times as long.
  if (budget != OptimizationBudget::usual) machine.setOptLevel(llvm::CodeGenOptLevel::None);
  {
    Pipeline pipeline(machine);
    auto passes = budget == OptimizationBudget::least
                      ? quick_pipeline()
                      : pipeline.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    passes.run(module, pipeline.modules);
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager emit;
  if (machine.addPassesToEmitFile(emit, out, nullptr, llvm::CodeGenFileType::ObjectFile, true))
    throw std::runtime_error("this host's code generator makes no objects");
  emit.run(module);
  return std::string(bytes.data(), bytes.size());
}

}  // namespace clcuda::ptx
