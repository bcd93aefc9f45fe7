// SPDX-License-Identifier: Apache-2.0
#include "compiler/translate.h"

#include <llvm/IR/Module.h>

#include "base/build_stage.h"
#include "compiler/frontend.h"
#include "compiler/lowering.h"
#include "compiler/passes/registry.h"
#include "compiler/spirv/reader.h"

namespace clcuda::compiler {
namespace {

std::unique_ptr<llvm::Module> read_spirv(const SourceUnit& unit, llvm::LLVMContext& context,
                                         Outcome& outcome) {
  const Source& source = unit.source;
  auto module = spirv::read({source.bytes, source.specializations, unit.options, unit.target, unit.features},
                            context, outcome);
  if (!module) return nullptr;
  outcome.program.translations.push_back(
      {.language = Language::spirv,
       .source = std::string(source.bytes),
       .headers = {},
       .specializations = {source.specializations.begin(), source.specializations.end()},
       .options = outcome.program.options,
       .folder = {},
       .language_choice = unit.features.choice});
  const Lowering lowering{unit.options, unit.target, Variant::general};
  run_stage(Stage::translation, *module, lowering);
  // For OpenCL C, Clang has an option for this.
  if (unit.options.denorms_are_zero) run_stage(Stage::object, *module, lowering);
  return module;
}

}  // namespace

std::unique_ptr<llvm::Module> translate(const SourceUnit& unit, llvm::LLVMContext& context,
                                        Outcome& outcome) {
  const StageRange range(BuildStage::front_end);
  switch (unit.source.language) {
    case Language::opencl_c:
      return compile_opencl_c(unit, context, outcome);
    case Language::spirv:
      return read_spirv(unit, context, outcome);
  }
  return nullptr;
}

}  // namespace clcuda::compiler
