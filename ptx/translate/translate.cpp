// SPDX-License-Identifier: Apache-2.0
// The steps from PTX text to machine code.
#include "ptx/translate/translate.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Target/TargetMachine.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "ptx/abi/block.h"
#include "ptx/syntax/parse_error.h"
#include "ptx/syntax/parser.h"
#include "ptx/translate/function_translator.h"
#include "ptx/translate/host_target.h"
#include "ptx/translate/inline_functions.h"
#include "ptx/translate/machine_code.h"
#include "ptx/translate/markers.h"
#include "ptx/translate/optimization_budget.h"
#include "ptx/translate/program_declarations.h"
#include "ptx/translate/regions/region_splitter.h"
#include "ptx/translate/regions/suspend_points.h"

namespace clcuda::ptx {
namespace {

// Items suspend at markers, so no pass may duplicate them, merge them, or make them depend on other conditions.
void protect_markers(llvm::Module& module) {
  llvm::Function* marker = module.getFunction(kSuspendMarker);
  if (!marker) return;
  marker->setConvergent();
  marker->addFnAttr(llvm::Attribute::NoDuplicate);
  marker->addFnAttr(llvm::Attribute::NoMerge);
}

void remove_dead_functions(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (variable.use_empty()) variable.eraseFromParent();
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (!function.use_empty() || !(function.isDeclaration() || function.hasInternalLinkage())) continue;
      function.eraseFromParent();
      changed = true;
    }
  }
}

std::string described(const ParseError& error) {
  return (error.line() ? "line " + std::to_string(error.line()) + ": " : "") + error.what();
}

std::vector<Module> parsed(std::span<const std::string_view> units) {
  std::vector<Module> modules;
  modules.reserve(units.size());
  for (const std::string_view unit : units) {
    try {
      modules.push_back(parse(unit));
    } catch (const ParseError& error) {
      throw std::runtime_error("unit " + std::to_string(modules.size()) + ", " + described(error));
    }
  }
  return modules;
}

struct Kernel {
  llvm::Function* item;  // the function of one work-item
  KernelDescription description;
};

// Fills in the functions of all units. Returns the requested kernels, in the order of the units.
std::vector<Kernel> translate_functions(ProgramDeclarations& program,
                                        std::optional<std::string_view> only_kernel) {
  std::vector<Kernel> kernels;
  for (unsigned unit = 0; unit < program.units().size(); ++unit) {
    for (const Function& source : program.units()[unit].functions) {
      if (!source.has_body) continue;
      llvm::Function* function = program.function(&source);
      FunctionTranslator(program, unit, source, *function).run();
      if (source.entry) kernels.push_back({function, program.describe(source)});
    }
  }
  if (only_kernel)
    std::erase_if(kernels, [&](const Kernel& kernel) {
      const bool other = kernel.description.name != *only_kernel;
      if (other) kernel.item->eraseFromParent();
      return other;
    });
  return kernels;
}

CodeObjectDescription translate(const std::vector<Module>& units, const TranslationOptions& options) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  llvm::Module module("ptx", context);
  const auto machine = make_host_machine();
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());

  ProgramDeclarations program(units, module);
  std::vector<Kernel> kernels = translate_functions(program, options.only_kernel);
  program.complete();
  protect_markers(module);
  simplify(module, *machine);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) insert_suspend_points(function);
  protect_markers(module);
  inline_functions(module);
  simplify(module, *machine);

  CodeObjectDescription object;
  object.globals = program.layout().globals();
  const std::uint32_t shared_alignment = program.layout().dynamic_shared_alignment();
  for (Kernel& kernel : kernels) {
    KernelCode code{.description = std::move(kernel.description)};
    code.dynamic_shared_offset = static_cast<std::uint32_t>(
        llvm::alignTo(kReservedSharedBytes + code.description.static_shared_bytes, shared_alignment));
    split_into_regions(*kernel.item, "kernel." + std::to_string(object.kernels.size()), code);
    object.kernels.push_back(std::move(code));
  }
  remove_dead_functions(module);
  const OptimizationBudget budget = options.tier == Tier::quick
                                        ? OptimizationBudget::least
                                        : optimization_budget_for(module, object.kernels);
  object.object = make_object(module, *machine, budget);
  return object;
}

}  // namespace

CodeObjectDescription translate(std::span<const std::string_view> units, const TranslationOptions& options) {
  const std::vector<Module> modules = parsed(units);
  try {
    return translate(modules, options);
  } catch (const ParseError& error) {
    throw std::runtime_error(described(error));
  }
}

}  // namespace clcuda::ptx
