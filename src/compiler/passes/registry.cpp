// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/registry.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>

#include <string>

#include "compiler/build_thread.h"
#include "compiler/lowering.h"
#include "compiler/passes/abi/check_indirect_calls.h"
#include "compiler/passes/abi/clear_local_variables.h"
#include "compiler/passes/abi/declare_task_scheduler.h"
#include "compiler/passes/abi/drop_private_volatile.h"
#include "compiler/passes/abi/expose_kernel_bodies.h"
#include "compiler/passes/abi/fold_local_nulls.h"
#include "compiler/passes/abi/inline_mask_functions.h"
#include "compiler/passes/abi/legalize_math.h"
#include "compiler/passes/abi/limit_parameter_alignment.h"
#include "compiler/passes/abi/lower_constant_pointers.h"
#include "compiler/passes/abi/lower_launch_record.h"
#include "compiler/passes/abi/lower_local_arguments.h"
#include "compiler/passes/abi/lower_samplers.h"
#include "compiler/passes/abi/pass_active_masks.h"
#include "compiler/passes/abi/pass_structures_by_address.h"
#include "compiler/passes/abi/place_local_variables.h"
#include "compiler/passes/abi/preserve_local_nulls.h"
#include "compiler/passes/abi/promote_image_descriptors.h"
#include "compiler/passes/abi/propagate_denormal_mode.h"
#include "compiler/passes/abi/prove_full_masks.h"
#include "compiler/passes/abi/resolve_c_math.h"
#include "compiler/passes/abi/resolve_device_enqueue.h"
#include "compiler/passes/abi/resolve_launch_variant.h"
#include "compiler/passes/abi/resolve_nvvm_reflect.h"
#include "compiler/passes/abi/track_active_masks.h"
#include "compiler/passes/frontend/allow_partial_work_groups.h"
#include "compiler/passes/frontend/allow_recursion_through_pointers.h"
#include "compiler/passes/frontend/break_initializer_cycles.h"
#include "compiler/passes/frontend/check_program.h"
#include "compiler/passes/frontend/free_library_names.h"
#include "compiler/passes/frontend/keep_inline_definitions.h"
#include "compiler/passes/frontend/lower_blocks.h"
#include "compiler/passes/frontend/lower_ctors_dtors.h"
#include "compiler/passes/frontend/lower_printf.h"
#include "compiler/passes/frontend/mark_enqueuing_kernels.h"
#include "compiler/passes/frontend/name_destroyed_objects.h"
#include "compiler/passes/frontend/resolve_library_imports.h"
#include "compiler/passes/frontend/set_denormal_mode.h"
#include "compiler/passes/optimize/add_mustprogress.h"
#include "compiler/passes/optimize/advance_loads.h"
#include "compiler/passes/optimize/align_allocas.h"
#include "compiler/passes/optimize/align_arguments.h"
#include "compiler/passes/optimize/annotate_id_ranges.h"
#include "compiler/passes/optimize/arrange_branches.h"
#include "compiler/passes/optimize/branch_around_divisions.h"
#include "compiler/passes/optimize/carry_indices.h"
#include "compiler/passes/optimize/choose_invariant_loads.h"
#include "compiler/passes/optimize/distinguish_arguments.h"
#include "compiler/passes/optimize/expand_memcpy.h"
#include "compiler/passes/optimize/expand_powers.h"
#include "compiler/passes/optimize/flatten_remainders.h"
#include "compiler/passes/optimize/flush_approximations.h"
#include "compiler/passes/optimize/fold_add_into_select.h"
#include "compiler/passes/optimize/fuse_atomic_sums.h"
#include "compiler/passes/optimize/hold_results.h"
#include "compiler/passes/optimize/inline_atomic_functions.h"
#include "compiler/passes/optimize/inline_work_item_functions.h"
#include "compiler/passes/optimize/keep_libdevice_branches.h"
#include "compiler/passes/optimize/let_arguments_escape.h"
#include "compiler/passes/optimize/limit_inlining.h"
#include "compiler/passes/optimize/merge_sine_cosine.h"
#include "compiler/passes/optimize/move_behind_branches.h"
#include "compiler/passes/optimize/promote_uniform_addresses.h"
#include "compiler/passes/optimize/raise_inline_threshold.h"
#include "compiler/passes/optimize/reduce_strides.h"
#include "compiler/passes/optimize/relax_division.h"
#include "compiler/passes/optimize/relax_math_functions.h"
#include "compiler/passes/optimize/relax_square_root.h"
#include "compiler/passes/optimize/rematerialize_ids.h"
#include "compiler/passes/optimize/resolve_image_queries.h"
#include "compiler/passes/optimize/restore_multiply_adds.h"
#include "compiler/passes/optimize/reuse_counter_at_exit.h"
#include "compiler/passes/optimize/reuse_reciprocals.h"
#include "compiler/passes/optimize/reuse_subtractions.h"
#include "compiler/passes/optimize/scale_local_indices.h"
#include "compiler/passes/optimize/specialize_image_queries.h"
#include "compiler/passes/optimize/suggest_full_unrolling.h"
#include "compiler/passes/optimize/suggest_unrolling.h"
#include "compiler/passes/optimize/unroll_convergent_loops.h"
#include "compiler/passes/optimize/unswitch_uniform_loops.h"
#include "compiler/passes/pass_observer.h"
#include "compiler/passes/workarounds/llvm_large_jump_tables.h"
#include "compiler/passes/workarounds/llvm_unsigned_abs_diff.h"
#include "compiler/passes/workarounds/nvptx_atomicrmw_order.h"
#include "compiler/passes/workarounds/nvptx_padded_globals.h"
#include "compiler/passes/workarounds/nvptx_unreachable_default.h"
#include "compiler/passes/workarounds/ptxas_abs.h"
#include "compiler/passes/workarounds/ptxas_float_bit_store.h"
#include "compiler/passes/workarounds/ptxas_negated_minmax.h"
#include "compiler/passes/workarounds/ptxas_trunc_merge.h"

namespace clcuda::compiler {
namespace {

// Runs passes directly, without LLVM's pass managers, so that their exceptions pass through clcuda's frames only.
class Runner {
 public:
  explicit Runner(llvm::Module& module) : module_(module) {
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  template <typename Pass>
  void run_on_module(Pass pass, const char* name) {
    // While the proxy exists, invalidating the module's analyses also invalidates those of its functions.
    (void)modules_.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module_);
    modules_.invalidate(module_, pass.run(module_, modules_));
    after_pass(name);
  }

  template <typename Pass>
  void run_on_functions(Pass pass, const char* name) {
    for (llvm::Function& function : module_)
      if (!function.isDeclaration()) functions_.invalidate(function, pass.run(function, functions_));
    modules_.invalidate(module_, preserved_by_function_passes());
    after_pass(name);
  }

 private:
  static llvm::PreservedAnalyses preserved_by_function_passes() {
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::AllAnalysesOn<llvm::Function>>();
    preserved.preserve<llvm::FunctionAnalysisManagerModuleProxy>();
    return preserved;
  }

  void after_pass(const char* name) const {
#ifndef NDEBUG
    verify_module(module_, name);
#endif
    observe(name, module_);
  }

  llvm::Module& module_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

}  // namespace

void verify_module(const llvm::Module& module, const char* after) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    throw CompilerFault{std::string("internal error: after ") + after + ": " + problem};
}

void run_stage(Stage stage, llvm::Module& module, const Lowering& lowering) {
  Runner runner(module);
#define MODULE_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) runner.run_on_module(PASS, #NAME);
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) runner.run_on_functions(PASS, #NAME);
#define LOOP_PASS(NAME, STAGE, PASS, REASON)
#include "compiler/passes/passes.def"
}

void add_passes(Stage stage, const Lowering& lowering, llvm::ModulePassManager& passes) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) passes.addPass(PASS);
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) passes.addPass(llvm::createModuleToFunctionPassAdaptor(PASS));
#define LOOP_PASS(NAME, STAGE, PASS, REASON)
#include "compiler/passes/passes.def"
}

void add_passes(Stage stage, const Lowering& lowering, llvm::FunctionPassManager& passes) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON)
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) passes.addPass(PASS);
#define LOOP_PASS(NAME, STAGE, PASS, REASON)
#include "compiler/passes/passes.def"
}

void add_passes(Stage stage, const Lowering&, llvm::LoopPassManager& passes) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON)
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON)
#define LOOP_PASS(NAME, STAGE, PASS, REASON) \
  if (stage == Stage::STAGE) passes.addPass(PASS);
#include "compiler/passes/passes.def"
}

void register_passes(llvm::PassBuilder& builder, llvm::PassInstrumentationCallbacks& callbacks,
                     const Lowering& lowering) {
#define ANY_PASS(NAME, STAGE, PASS, REASON) callbacks.addClassToPassName(decltype(PASS)::name(), #NAME);
#define MODULE_PASS ANY_PASS
#define FUNCTION_PASS ANY_PASS
#define LOOP_PASS ANY_PASS
#include "compiler/passes/passes.def"
#undef ANY_PASS
  using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;
  builder.registerPipelineParsingCallback(
      [&lowering](llvm::StringRef name, llvm::ModulePassManager& passes, Elements) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON) \
  if (name == #NAME) return passes.addPass(PASS), true;
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON)
#define LOOP_PASS(NAME, STAGE, PASS, REASON)
#include "compiler/passes/passes.def"
        return false;
      });
  builder.registerPipelineParsingCallback(
      [&lowering](llvm::StringRef name, llvm::FunctionPassManager& passes, Elements) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON)
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON) \
  if (name == #NAME) return passes.addPass(PASS), true;
#define LOOP_PASS(NAME, STAGE, PASS, REASON)
#include "compiler/passes/passes.def"
        return false;
      });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::LoopPassManager& passes, Elements) {
#define MODULE_PASS(NAME, STAGE, PASS, REASON)
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON)
#define LOOP_PASS(NAME, STAGE, PASS, REASON) \
  if (name == #NAME) return passes.addPass(PASS), true;
#include "compiler/passes/passes.def"
    return false;
  });
}

std::span<const PassDescription> pass_descriptions() {
#define MODULE_PASS(NAME, STAGE, PASS, REASON) {"module", #NAME, #STAGE, REASON},
#define FUNCTION_PASS(NAME, STAGE, PASS, REASON) {"function", #NAME, #STAGE, REASON},
#define LOOP_PASS(NAME, STAGE, PASS, REASON) {"loop", #NAME, #STAGE, REASON},
  static constexpr PassDescription kAll[] = {
#include "compiler/passes/passes.def"
  };
  return kAll;
}

}  // namespace clcuda::compiler
