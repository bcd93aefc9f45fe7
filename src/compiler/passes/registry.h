// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace llvm {
class PassBuilder;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace clcuda::compiler {

struct Lowering;

// The stages of the pipeline, in which passes.def arranges the passes; it says what each is.
enum class Stage : std::uint8_t {
  translation,
  object,
  program,
  library,
  libdevice,
  before_optimization,
  minimal,
  late_call_graph,
  late_scalar,
  late_loops,
  vectorizer_start,
  optimizer_last,
  after_optimization
};

// Runs a stage's passes one after another over the module. Only frames of this project are on the stack, not the pass managers of LLVM,
// which no exception may leave, so that a pass may throw (program_error.h). In builds without NDEBUG the module is verified after each
// pass.
//
//   run_stage(Stage::program, module, lowering);
void run_stage(Stage stage, llvm::Module& module, const Lowering& lowering);

// Appends a stage's passes to one of LLVM's pass managers, for stages that are part of LLVM's optimisation pipeline. Their passes must not
// throw. Function passes among module passes run over all functions.
void add_passes(Stage stage, const Lowering& lowering, llvm::ModulePassManager& passes);
void add_passes(Stage stage, const Lowering& lowering, llvm::FunctionPassManager& passes);
void add_passes(Stage stage, const Lowering& lowering, llvm::LoopPassManager& passes);

// Registers all passes by their names in passes.def with a builder and with pass instrumentation, for pipelines given as text (the tool
// clcuda-opt). `lowering` must outlive the builder.
void register_passes(llvm::PassBuilder& builder, llvm::PassInstrumentationCallbacks& callbacks,
                     const Lowering& lowering);

// An entry of passes.def, which clcuda-opt lists. The level is "module", "function" or "loop".
struct PassDescription {
  std::string_view level, name, stage, reason;
};
// In the order of passes.def, where a pass may occur more than once.
std::span<const PassDescription> pass_descriptions();

// Throws CompilerFault if the module is malformed, which would crash the back end or be miscompiled. `after` names the pass or step before
// it, for the message.
void verify_module(const llvm::Module& module, const char* after);

}  // namespace clcuda::compiler
