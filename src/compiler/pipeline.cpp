// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/work_budget.h"
#include "compiler/build_thread.h"
#include "compiler/passes/align_arguments.h"
#include "compiler/passes/arrange_branches.h"
#include "compiler/passes/branch_around_divisions.h"
#include "compiler/passes/carry_local_addresses.h"
#include "compiler/passes/carry_masks.h"
#include "compiler/passes/flatten_remainders.h"
#include "compiler/passes/inline_atomic_functions.h"
#include "compiler/passes/keep_counters.h"
#include "compiler/passes/know_images.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/prove_masks.h"
#include "compiler/passes/recompute_ids.h"
#include "compiler/passes/scale_local_indices.h"
#include "compiler/passes/suggest_unrolling.h"
#include "compiler/passes/unroll_collective_loops.h"
#include "compiler/passes/unswitch_loops.h"
#include "compiler/refusal.h"

namespace clcuda::compiler {
namespace {

struct Pass {
  const char* name;
  void (*run)(llvm::Module&, const Lowering&);
};

// The kernel ABI. Everything that the optimiser should see through.
constexpr Pass before_optimization[] = {
    {"expose_kernel_bodies", expose_kernel_bodies},
    {"adopt_subnormal_mode", adopt_subnormal_mode},
    {"assume_progress", assume_progress},
    {"resolve_launch_variant", resolve_launch_variant},
    {"resolve_device_enqueue", resolve_device_enqueue},
    {"resolve_nvvm_reflect", resolve_nvvm_reflect},
    {"keep_branches", keep_branches},
    {"settle_local_nulls", settle_local_nulls},
    {"lower_samplers", lower_samplers},
    {"lower_constant_pointers", lower_constant_pointers},
    {"lower_local_arguments", lower_local_arguments},
    {"bound_parameter_alignment", bound_parameter_alignment},
    {"align_arguments", align_arguments},
    {"align_private_variables", align_private_variables},
    {"inline_atomic_functions", inline_atomic_functions},
    {"inline_mask_functions", inline_mask_functions},
    {"inline_work_item_functions", inline_work_item_functions},
    {"favor_inlining", favor_inlining},
    {"limit_inlining", limit_inlining},
    {"bound_work_item_ids", bound_work_item_ids},
};

// What the optimiser would undo, hide or be hindered by.
constexpr Pass after_optimization[] = {
    {"settle_image_questions", settle_image_questions},
    {"settle_private_volatiles", settle_private_volatiles},
    {"branch_around_divisions", branch_around_divisions},
    {"keep_local_nulls", keep_local_nulls},
    {"relax_division", relax_division},
    {"restore_multiply_adds", restore_multiply_adds},
    {"share_differences", share_differences},
    {"order_atomics", order_atomics},
    {"settle_defaults", settle_defaults},
    {"limit_jump_tables", limit_jump_tables},
    {"arrange_branches", arrange_branches},
    {"pass_image_parts", pass_image_parts},
    {"lower_launch_record", lower_launch_record},
    {"recompute_ids", recompute_ids},
    {"settle_differences", settle_differences},
    {"select_sums", select_sums},
    {"keep_conversions_apart", keep_conversions_apart},
    {"keep_magnitudes", keep_magnitudes},
    {"keep_opposites", keep_opposites},
    {"copy_by_words", copy_by_words},
    {"keep_stored_bits", keep_stored_bits},
    {"wrap_variables", wrap_variables},
};

// Code that is not well formed would crash the back end, or be translated to something else.
void verify(const llvm::Module& module, const char* after) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    throw CompilerFault{std::string("internal error: after ") + after + ": " + problem};
}

template <std::size_t count>
void run_passes(const Pass (&passes)[count], llvm::Module& module, const Lowering& lowering) {
  for (const Pass& pass : passes) {
    pass.run(module, lowering);
#ifndef NDEBUG
    verify(module, pass.name);
#endif
  }
}

// What -cl-opt-disable leaves: kernels are still one function each with its values in registers, because a
// stack slot for each variable and a call for each builtin would be slower by orders of magnitude, and no
// debugger is served by them.
llvm::ModulePassManager minimal_pipeline() {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(ProveMasks());
  functions.addPass(CarryMasks());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes;
}

// LLVM's cost grows faster than the program, most of all within one function. Programs beyond any that people
// write are not optimised, and at some size no build would end in an acceptable time.
constexpr unsigned most_to_optimize = 40'000, most_at_all = 250'000;  // instructions of a function
constexpr unsigned many_functions = 4;  // a program may have so many functions of that size

bool is_too_large_to_optimize(const llvm::Module& module) {
  unsigned largest = 0, all = 0;
  for (const llvm::Function& function : module) {
    const unsigned count = function.getInstructionCount();
    largest = std::max(largest, count);
    all += count;
  }
  const unsigned size = std::max(largest, all / many_functions);
  if (size > most_at_all) throw Refusal{"error: the program is too large"};
  return size > most_to_optimize;
}

// What optimising may take of the time of a build; beyond it what is left of LLVM's passes is not run, but for those without which
// there is no code.
constexpr std::chrono::seconds longest_optimization(6);

class OptimizationTime {
 public:
  void watch(llvm::PassInstrumentationCallbacks& callbacks) {
    callbacks.registerShouldRunOptionalPassCallback([this](llvm::StringRef, const llvm::Any&) {
      if (!over_ && ++passes_ % passes_between_looks == 0)
        over_ = WorkBudget::time_of_this_thread() - begin_ > longest_optimization;
      return !over_;
    });
  }
  bool is_over() const { return over_; }

 private:
  static constexpr unsigned passes_between_looks = 8;

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

// To which no other way leads than LLVM's options.
void set_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    const auto& options = llvm::cl::getRegisteredOptions();
    for (
        const char* name : {
            // What a function costs is added up beyond the usual threshold, as a call may allow more (favor_inlining).
            "inline-cost-full",
            // Copies of copies are settled, though there is no memcpy() to call for what is left of them.
            "enable-memcpyopt-without-libcalls",
        })
      if (const auto found = options.find(name); found != options.end())
        static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(true);
  });
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const Lowering& lowering,
              std::string& log) {
  const Options& options = lowering.options;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;  // the work-items are the vector
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = true;  // finds wide loads and stores
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  OptimizationTime time;
  time.watch(callbacks);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerCGSCCOptimizerLateEPCallback(
      [&lowering](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(KnowImages(lowering)));
      });
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(ProveMasks()); });
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(UnswitchLoops());
    passes.addPass(UnrollCollectiveLoops());
    passes.addPass(SuggestUnrolling());
  });
  builder.registerLateLoopOptimizationsEPCallback([](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(SuggestWholeUnrolling());
  });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(CarryMasks()));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(FlattenRemainders()));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(KeepCounters()));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(CarryLocalAddresses()));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(ScaleLocalIndices()));
      });
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
      full ? builder.buildPerModuleDefaultPipeline(level_of(options)) : minimal_pipeline();
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
  run_passes(before_optimization, module, lowering);
  optimize(module, machine, lowering, log);
  run_passes(after_optimization, module, lowering);
  verify(module, "all passes");
}

}  // namespace clcuda::compiler
