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

// The stages of passes.def.
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

// Runs a stage's passes one by one over the module, in our own frames only, so that a pass may throw
// (refusal.h). Without NDEBUG, the module is verified after each.
void run_stage(Stage stage, llvm::Module& module, const Lowering& lowering);

// Appends a stage's passes, for stages that are part of LLVM's optimisation pipeline. Function passes among
// module passes run over all functions.
void add_passes(Stage stage, const Lowering& lowering, llvm::ModulePassManager& passes);
void add_passes(Stage stage, const Lowering& lowering, llvm::FunctionPassManager& passes);
void add_passes(Stage stage, const Lowering& lowering, llvm::LoopPassManager& passes);

// Registers all passes with a builder and with pass instrumentation, by their names in passes.def. The
// lowering must outlive the builder.
void register_passes(llvm::PassBuilder& builder, llvm::PassInstrumentationCallbacks& callbacks,
                     const Lowering& lowering);

struct PassDescription {
  std::string_view level, name, stage, reason;
};
// In the order of passes.def, in which a pass may be more than once.
std::span<const PassDescription> pass_descriptions();

// Throws CompilerFault for malformed code, which would crash the back end or be miscompiled.
void verify_module(const llvm::Module& module, const char* after);

}  // namespace clcuda::compiler
