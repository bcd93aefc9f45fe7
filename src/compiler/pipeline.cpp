// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/compilation_limits.h"
#include "compiler/build_thread.h"
#include "compiler/lowering.h"
#include "compiler/passes/pass_observer.h"
#include "compiler/passes/registry.h"
#include "compiler/program_error.h"

namespace clcuda::compiler {
namespace {

// The passes that run with -cl-opt-disable. Each kernel still becomes one function with its values in registers: a stack slot for each
// variable and a call for each builtin would be slower by orders of magnitude and would help no debugger. Programs that are too large to be
// optimised get passes that take linear time; InstCombine takes quadratic time for values with many uses.
llvm::ModulePassManager minimal_pipeline(const Lowering& lowering, bool too_large) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  if (too_large) {
    functions.addPass(llvm::EarlyCSEPass());
    functions.addPass(llvm::InstSimplifyPass());
  } else {
    functions.addPass(llvm::InstCombinePass());
  }
  functions.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  add_passes(Stage::minimal, lowering, passes);
  return passes;
}

// Beyond this (times compilation_scale()) the build would take too long and is rejected.
constexpr unsigned kMostAtAll = 250'000;  // instructions of a function
constexpr unsigned kManyFunctions = 4;    // limits for a whole program are this many times larger

bool is_too_large_to_optimize(const llvm::Module& module) {
  unsigned largest = 0, all = 0;
  for (const llvm::Function& function : module) {
    const unsigned count = function.getInstructionCount();
    largest = std::max(largest, count);
    all += count;
  }
  const unsigned size = std::max(largest, all / kManyFunctions);
  if (size / compilation_scale() > kMostAtAll) throw ProgramError{"error: the program is too large"};
  return size > kMostToOptimize;
}

// IndVarSimplify moves what a loop does not use from the block before the loop to the one after it, and visits all that depends on each
// such instruction: in a long computation with loops in it, such as a chain of hashes, that is most of the function. The limit is the
// number of instructions of that block times that of the function, and corresponds to about 0.1 s.
constexpr std::size_t kMostVisits = 5'000'000;

bool visits_too_much(llvm::StringRef pass, const llvm::Any& unit) {
  const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit);
  if (!loop || pass != "IndVarSimplifyPass") return false;
  const llvm::BasicBlock* before = (*loop)->getLoopPreheader();
  return before && before->size() * before->getParent()->getInstructionCount() > kMostVisits;
}

// Optimisation may take half of a build's time. After that, the remaining LLVM passes are skipped, except those that code generation
// requires.
class OptimizationTime {
 public:
  void watch(llvm::PassInstrumentationCallbacks& callbacks) {
    callbacks.registerShouldRunOptionalPassCallback([this](llvm::StringRef, const llvm::Any&) {
      if (!over_ && ++passes_ % kPassesBetweenLooks == 0)
        over_ = WorkBudget::time_of_this_thread() - begin_ > limit_;
      return !over_;
    });
  }
  bool is_over() const { return over_; }

 private:
  static constexpr unsigned kPassesBetweenLooks = 8;

  const std::chrono::nanoseconds limit_ = std::chrono::nanoseconds(compilation_limits().time) / 2;
  const std::chrono::nanoseconds begin_ = WorkBudget::time_of_this_thread();
  unsigned passes_ = 0;
  bool over_ = false;
};

void warn(const Options& options, const char* text, std::string& log) {
  if (!options.no_warnings) log += std::string("warning: ") + text + "\n";
}

llvm::OptimizationLevel level_of(const Options& options) {
  switch (options.optimization_level) {
    case 1:
      return llvm::OptimizationLevel::O1;
    case 2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

// Options that can only be set through LLVM's command line.
void set_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    const auto& options = llvm::cl::getRegisteredOptions();
    const auto set = [&](const char* name, auto value) {
      if (const auto found = options.find(name); found != options.end())
        static_cast<llvm::cl::opt<decltype(value)>*>(found->second)->setValue(value);
    };
    for (
        const char* name : {
            // Lets the cost of inlining be computed beyond the usual threshold, as a call may allow more (raise_inline_threshold).
            "inline-cost-full",
            // Lets memcpyopt forward copies of copies, although there is no memcpy() to call for the remaining ones.
            "enable-memcpyopt-without-libcalls",
        })
      set(name, true);
    // Leaves computations where they are. What is better moved behind a branch, move_behind_branches and the code generator move, which
    // hold_results keeps from the rest.
    set("instcombine-code-sinking", false);
    // Expands conversions of long long (128 bits): NVPTX has no instruction for them, and there is no library function.
    constexpr unsigned kMostBitsConverted = 64;
    set("expand-fp-convert-bits", kMostBitsConverted);
  });
}

void add_own_passes(llvm::PassBuilder& builder, const Lowering& lowering) {
  builder.registerCGSCCOptimizerLateEPCallback(
      [&lowering](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel) {
        llvm::FunctionPassManager functions;
        add_passes(Stage::late_call_graph, lowering, functions);
        passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(std::move(functions)));
      });
  builder.registerScalarOptimizerLateEPCallback(
      [&lowering](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
        add_passes(Stage::late_scalar, lowering, passes);
      });
  builder.registerVectorizerStartEPCallback(
      [&lowering](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::LoopSimplifyPass());
        passes.addPass(llvm::LCSSAPass());
        add_passes(Stage::vectorizer_start, lowering, passes);
      });
  builder.registerLateLoopOptimizationsEPCallback(
      [&lowering](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
        add_passes(Stage::late_loops, lowering, passes);
      });
  builder.registerOptimizerLastEPCallback(
      [&lowering](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        add_passes(Stage::optimizer_last, lowering, passes);
      });
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering,
              std::string& log) {
  const Options& options = lowering.options;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;  // work-items are already executed as vectors
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = true;  // merges loads and stores into wider ones
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  OptimizationTime time;
  time.watch(callbacks);
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any& unit) { return !visits_too_much(pass, unit); });
  observe_passes(callbacks);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  add_own_passes(builder, lowering);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  set_options();
  const bool too_large = is_too_large_to_optimize(module);
  if (too_large && !options.disable_optimization)
    warn(options, "the program is too large to be optimised", log);
  const bool full = !too_large && !options.disable_optimization;
  if (!full) machine.setOptLevel(llvm::CodeGenOptLevel::None);
  llvm::ModulePassManager passes =
      full ? builder.buildPerModuleDefaultPipeline(level_of(options)) : minimal_pipeline(lowering, too_large);
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, modules);
  if (time.is_over()) {
    warn(options, "optimising the program takes long, and was not brought to an end", log);
    machine.setOptLevel(llvm::CodeGenOptLevel::None);
  }
}

}  // namespace

void run_pipeline(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering,
                  std::string& log) {
  run_stage(Stage::before_optimization, module, lowering);
  optimize(module, machine, lowering, log);
  run_stage(Stage::after_optimization, module, lowering);
  verify_module(module, "all passes");
}

}  // namespace clcuda::compiler
