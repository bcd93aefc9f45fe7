// SPDX-License-Identifier: Apache-2.0
// The way from PTX text to an image, as a list of its steps.
#include "ptx/translate/compile.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <mutex>
#include <new>

#include "base/compiler_thread.h"
#include "base/fault_scope.h"
#include "base/work_budget.h"
#include "ptx/execute/block.h"
#include "ptx/execute/image.h"
#include "ptx/execute/image_format.h"
#include "ptx/syntax/parser.h"
#include "ptx/translate/effort.h"
#include "ptx/translate/inline_functions.h"
#include "ptx/translate/machine_code.h"
#include "ptx/translate/program_translator.h"
#include "ptx/translate/region_former.h"

namespace clcuda::ptx {
namespace {

// Markers are where items meet: no pass may copy them, merge them or move them under other conditions.
void protect_markers(llvm::Module& module) {
  llvm::Function* marker = module.getFunction(suspend_marker);
  if (!marker) return;
  marker->setConvergent();
  marker->addFnAttr(llvm::Attribute::NoDuplicate);
  marker->addFnAttr(llvm::Attribute::NoMerge);
}

void remove_dead_functions(llvm::Module& module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (!function.use_empty() || !(function.isDeclaration() || function.hasInternalLinkage())) continue;
      function.eraseFromParent();
      changed = true;
    }
  }
}

// What is to be made of a program: code of all its kernels, or of one.
struct Order {
  Tier tier = Tier::full;
  std::optional<std::string_view> kernel = {};
  bool includes(const ProgramTranslator::Kernel& which) const {
    return !kernel || *kernel == which.description.name;
  }
};

// PTX comes from anywhere, too: a binary may have brought it.
void within_limits(WorkBudget& budget, const std::function<void()>& work) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(FaultScope::on_fatal_error);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(FaultScope::on_bad_alloc);
  });
  run_on_compiler_thread([&] {
    const WorkBudget::Share share(budget);
    work();
  });
}

ImageDescription translate(const std::vector<Module>& units, const Order& order) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  llvm::Module module("ptx", context);
  const auto machine = make_host_machine();
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());

  ProgramTranslator program(units, module);
  program.run();
  for (const ProgramTranslator::Kernel& kernel : program.kernels())
    if (!order.includes(kernel)) kernel.item->eraseFromParent();
  protect_markers(module);
  simplify(module, *machine);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) insert_yields(function);
  protect_markers(module);
  inline_functions(module);
  simplify(module, *machine);

  ImageDescription image;
  image.globals = program.layout().globals();
  for (const ProgramTranslator::Kernel& kernel : program.kernels()) {
    if (!order.includes(kernel)) continue;
    KernelCode code{.description = kernel.description};
    code.dynamic_shared_offset = kReservedSharedBytes + (code.description.static_shared_bytes + 15) / 16 * 16;
    form_regions(*kernel.item, "kernel." + std::to_string(image.kernels.size()), code);
    image.kernels.push_back(std::move(code));
  }
  remove_dead_functions(module);
  const Effort effort = order.tier == Tier::quick ? Effort::least : effort_for(module, image.kernels);
  image.object = make_object(module, *machine, effort);
  return image;
}

}  // namespace

std::optional<std::string> compile(std::span<const std::string_view> units, std::string& log, Tier tier) {
  std::size_t unit = 0;
  WorkBudget budget(compilation_limits);
  try {
    std::optional<std::string> bytes;
    within_limits(budget, [&] {
      std::vector<Module> modules;
      modules.reserve(units.size());
      for (; unit < units.size(); ++unit) modules.push_back(parse(units[unit]));
      ImageDescription image = translate(modules, {.tier = tier});
      if (tier == Tier::quick) image.units.assign(units.begin(), units.end());
      bytes = serialize(image);
    });
    return bytes;
  } catch (const CompilerFault& fault) {
    log += budget.exceeded() ? "the program needs " + budget.reason() : fault.reason;
  } catch (const std::bad_alloc&) {
    log += budget.exceeded() ? "the program needs " + budget.reason() : "out of memory";
  } catch (const Refusal& refusal) {
    if (unit < units.size()) log += "unit " + std::to_string(unit) + ", ";
    if (refusal.line()) log += "line " + std::to_string(refusal.line()) + ": ";
    log += refusal.what();
  } catch (const std::exception& error) {
    log += error.what();
  }
  log += '\n';
  return std::nullopt;
}

ImageDescription compile_kernel(std::span<const std::string> units, std::string_view kernel) {
  ImageDescription image;
  WorkBudget budget(compilation_limits);
  within_limits(budget, [&] {
    std::vector<Module> modules;
    for (const std::string& unit : units) modules.push_back(parse(unit));
    image = translate(modules, {.kernel = kernel});
  });
  return image;
}

}  // namespace clcuda::ptx
