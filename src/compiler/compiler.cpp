// SPDX-License-Identifier: Apache-2.0
#include "compiler/compiler.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <optional>

#include "base/build_stage.h"
#include "base/compilation_limits.h"
#include "base/parallel.h"
#include "builtins/launch_record.h"
#include "compiler/build_thread.h"
#include "compiler/constant_identity.h"
#include "compiler/diagnostics.h"
#include "compiler/emit_ptx.h"
#include "compiler/kernel_info.h"
#include "compiler/language_features.h"
#include "compiler/link.h"
#include "compiler/lowering.h"
#include "compiler/options.h"
#include "compiler/parts.h"
#include "compiler/passes/abi/lower_samplers.h"
#include "compiler/passes/frontend/lower_printf.h"
#include "compiler/passes/frontend/mark_enqueuing_kernels.h"
#include "compiler/passes/indirect_calls.h"
#include "compiler/passes/registry.h"
#include "compiler/pipeline.h"
#include "compiler/program_error.h"
#include "compiler/ptx_modules.h"
#include "compiler/ptx_names.h"
#include "compiler/target.h"
#include "compiler/translate.h"

namespace clcuda::compiler {
namespace {

// The LLVM context of a build and its module. After a fault (a fatal error of LLVM, a signal, or the end of the build's time or memory)
// they are leaked, because LLVM's half-constructed objects may not be destroyed. A program rejected for any other reason leaks nothing.
struct Workspace {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  bool failed = false;
};

// Runs `work` on a build thread. Turns every failure into a status and a line of the log.
template <class Result>
void guarded(Result& result, WorkBudget& budget, const std::function<Status(Workspace&)>& work) {
  try {
    run_on_build_thread([&] {
      const WorkBudget::Share share(budget);
      auto workspace = std::make_unique<Workspace>();
      try {
        result.status = work(*workspace);
      } catch (const ProgramError& error) {
        result.status = Status::failure;
        result.log += error.reason + "\n";
      } catch (...) {
        (void)workspace.release();
        throw;
      }
    });
  } catch (const CompilerFault& fault) {
    budget.leave_behind();
    result.status = fault.out_of_memory ? Status::out_of_memory : Status::failure;
    if (!budget.exceeded()) result.log += fault.reason + "\n";
  } catch (const std::bad_alloc&) {
    budget.leave_behind();
    result.status = Status::out_of_memory;
    if (!budget.exceeded()) result.log += "error: out of memory\n";
  }
  if (budget.exceeded()) {
    result.status = Status::failure;
    result.log += "error: the build needs " + budget.reason() + "\n";
  }
  if (result.status != Status::success) result = {result.status, std::move(result.log)};
}

// How to compile a program, regardless of which of its kernels are in a part.
struct Recipe {
  const Options& options;
  const Target& target;
  Variant variant;
  WorkBudget& budget;
  const std::vector<KnownImage>* images = nullptr;  // this member and the next: see Lowering
  bool arguments_overlap = false;
};

// The code of some of a variant's kernels.
struct Part {
  Status status = Status::failure;
  std::string log;
  VariantCode code;
};

// The largest parameter size of the kernels, each with a launch record added.
std::uint32_t parameters_with_record(const std::vector<KernelInfo>& kernels) {
  std::uint32_t most = 0;
  for (const KernelInfo& kernel : kernels)
    most = std::max(most, static_cast<std::uint32_t>(llvm::alignTo(kernel.parameter_size, 8) +
                                                     sizeof(clcuda_launch_record)));
  return most;
}

// Compiles a module, which contains some of the program's kernels and everything that they call, to code.
Status make_part(Workspace& work, const Recipe& recipe, const std::vector<KernelInfo>& kernels, Part& part,
                 std::string& log) {
  collect_diagnostics(work.context, log, work.failed);
  const std::uint32_t parameter_bytes = parameters_with_record(kernels);
  if (parameter_bytes > most_parameter_bytes(recipe.target)) {
    log += "error: a kernel takes more than " + std::to_string(most_parameter_bytes(recipe.target)) +
           " bytes of arguments\n";
    return Status::failure;
  }
  const auto machine = create_target_machine(recipe.target, recipe.options, parameter_bytes);
  work.module->setDataLayout(machine->createDataLayout());
  const Lowering lowering{recipe.options, recipe.target, recipe.variant, recipe.images,
                          recipe.arguments_overlap};
  {
    const StageRange range(BuildStage::linking);
    if (!link_libraries(*work.module, lowering, log)) return Status::failure;
  }
  {
    const StageRange range(BuildStage::optimization);
    run_pipeline(*work.module, *machine, lowering, log);
  }
  give_ptx_names(*work.module);
  describe_code(*work.module, kernels, part.code);
  const bool waiting = can_wait(recipe.target);
  for (KernelCode& kernel : part.code.kernels) kernel.waits = waiting;
  const StageRange range(BuildStage::code_generation);
  part.code.ptx = declared_for(recipe.target, emit_ptx(*work.module, *machine, waiting));
  return work.failed ? Status::failure : Status::success;
}

// Compiles each part on its own thread, from the program's bitcode.
std::vector<Part> make_parts(std::string_view bitcode, const Recipe& recipe,
                             const std::vector<KernelInfo>& kernels,
                             const std::vector<std::vector<std::size_t>>& division) {
  std::vector<Part> parts(division.size());
  in_parallel(division.size(), [&](std::size_t i) {
    std::vector<KernelInfo> own;
    for (const std::size_t kernel : division[i]) own.push_back(kernels[kernel]);
    guarded(parts[i], recipe.budget, [&](Workspace& work) {
      work.module = read_kernels(bitcode, own, work.context);
      return make_part(work, recipe, own, parts[i], parts[i].log);
    });
  });
  return parts;
}

Status join(std::vector<Part>& parts, const std::vector<std::vector<std::size_t>>& division,
            VariantCode& code, std::string& log) {
  Status status = Status::success;
  std::vector<std::string> modules;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // A message that several parts report is logged once.
    if (log.find(parts[i].log) == std::string::npos) log += parts[i].log;
    if (parts[i].status != Status::success) status = parts[i].status;
    VariantCode& part = parts[i].code;
    modules.push_back(std::move(part.ptx));
    code.needs_device_runtime |= part.needs_device_runtime;
    std::ranges::move(part.initializers, std::back_inserter(code.initializers));
    std::ranges::move(part.finalizers, std::back_inserter(code.finalizers));
    if (status != Status::success) continue;
    for (std::size_t k = 0; k < division[i].size(); ++k)
      code.kernels[division[i][k]] = std::move(part.kernels[k]);
  }
  code.ptx = join_ptx_modules(modules);
  return status;
}

// Compiles the program, given as a module and as bitcode, to the code of one variant. If kernels share variables or enqueue each other, all
// kernels stay in one module.
Status make_code(Workspace& work, const Recipe& recipe, const CompiledProgram& program, VariantCode& code,
                 std::string& log) {
  std::vector<std::vector<std::size_t>> division;
  if (!program.uniform_is_general) division = divide(*work.module, program.kernels);
  code.kernels.resize(program.kernels.size());
  std::vector<Part> parts;
  if (division.size() > 1) {
    parts = make_parts(program.bitcode, recipe, program.kernels, division);
  } else {
    division.assign(1, {});
    for (std::size_t i = 0; i < program.kernels.size(); ++i) division[0].push_back(i);
    parts.resize(1);
    parts[0].status = make_part(work, recipe, program.kernels, parts[0], log);
  }
  return join(parts, division, code, log);
}

// The work on a linked program that is done once for all its variants.
bool prepare(Workspace& work, const Options& options, CompiledProgram& program, std::string& log) {
  llvm::Module& module = *work.module;
  collect_diagnostics(work.context, log, work.failed);
  run_stage(Stage::program, module, {options, program.target, Variant::general});
  if (work.failed) return false;
  program.printf_formats = take_printf_texts(module);
  program.bitcode = write_bitcode(module);
  program.kernels = describe_kernels(module);
  program.global_variable_size = global_variable_size(module);
  program.literal_samplers = literal_samplers(module);
  // Blocks share functions with other kernels, so their ids always come from the launch record.
  // Kernels may exchange pointers to functions.
  program.uniform_is_general = program.global_variable_size > 0 || !functions_that_enqueue(module).empty() ||
                               module.getFunction(kInitializerSymbol) || !indirect_calls(module).empty() ||
                               constants_have_identity(module);
  return true;
}

bool has_assembly(const llvm::Module& module) {
  return !module.getModuleInlineAsm().empty() || llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isInlineAsm();
    });
  });
}

// A program with inline PTX may use all features of the chip. Other programs do not need them, and their plain target runs on later chips
// as well.
bool needs_whole_chip(const llvm::Module& module, const Target& target, const Target& device) {
  return target.sm == device.sm && has_whole_chip(target) && has_assembly(module);
}

Status make_executable(Workspace& work, WorkBudget& budget, const Options& options, const Target& device,
                       CompiledProgram& program, std::string& log) {
  program.kind = BinaryKind::executable;
  program.target.whole_chip = needs_whole_chip(*work.module, program.target, device);
  program.verbose = options.verbose;
  program.optimization_level = options.optimization_level;
  program.max_registers = options.max_registers;
  if (!prepare(work, options, program, log)) return Status::failure;
  const Recipe recipe{options, program.target,
                      program.uniform_is_general ? Variant::general : Variant::uniform, budget};
  return make_code(work, recipe, program, program.uniform, log);
}

// Options that are valid for a device: it is not older than the architecture that -cl-nv-arch names.
ParsedOptions parse_options_for(const std::string& text, OptionsFor use, const Target& device) {
  ParsedOptions parsed = parse_options(text, use);
  if (parsed.problem.empty() && parsed.options.architecture > device.sm)
    parsed.problem = "-cl-nv-arch names an architecture that is newer than the device";
  return parsed;
}

// Parses the options and stores options and target in the program. If they are invalid, returns nothing and logs the reason.
std::optional<Options> take_options(const std::string& text, OptionsFor use, const Target& device,
                                    Outcome& outcome) {
  auto [options, problem] = parse_options_for(text, use, device);
  if (!problem.empty()) {
    outcome.log += "error: " + problem + "\n";
    return std::nullopt;
  }
  outcome.program.target = {.sm = options.architecture ? options.architecture : device.sm, .ptx = device.ptx};
  outcome.program.options = text;
  return options;
}

// Section 5.8.7: link options affect a library only if it was created with -enable-link-options.
bool takes_link_options(const CompiledProgram& object) {
  return object.kind != BinaryKind::library ||
         parse_options(object.options, OptionsFor::link).options.enable_link_options;
}

// Translates one source or SPIR-V module of a program again, for the language of the device for which that was done first: its macros may
// decide what the text says. Writes to the log only if that fails.
std::unique_ptr<llvm::Module> translate_again(const Translation& translation, const Target& target,
                                              Workspace& work, std::string& log) {
  Outcome outcome;
  const DeviceFeatures features = features_for(translation.language_choice);
  const auto options = take_options(translation.options, OptionsFor::build, target, outcome);
  std::unique_ptr<llvm::Module> module;
  if (options)
    module =
        translate({Source::of(translation), *options, outcome.program.target, features, &translation.folder},
                  work.context, outcome);
  if (!module) log += outcome.log;
  return module;
}

// Links an object's module into the workspace's module.
bool add_module(Workspace& work, std::unique_ptr<llvm::Module> module, bool denorms_are_zero,
                const Target& target, std::string& log) {
  if (!module) return false;
  Options options;
  options.denorms_are_zero = denorms_are_zero;
  run_stage(Stage::object, *module, {options, target, Variant::general});
  collect_diagnostics(work.context, log, work.failed);  // Clang has replaced the context's diagnostic handler
  if (work.module) return link_objects(*work.module, std::move(module), log);
  work.module = std::move(module);
  return true;
}

bool add_object(Workspace& work, const CompiledProgram& object, bool denorms_are_zero, const Target& target,
                std::string& log) {
  if (!object.bitcode.empty())
    return add_module(work, read_bitcode(object.bitcode, work.context, log), denorms_are_zero, target, log);
  return std::ranges::all_of(object.translations, [&](const Translation& translation) {
    return add_module(work, translate_again(translation, target, work, log), denorms_are_zero, target, log);
  });
}

// Code generation follows options that clCompileProgram may be given and clLinkProgram may not (section 5.8.7). Where the linked modules
// differ, the one that asks for less optimisation or fewer registers decides.
void take_options_of_modules(const std::vector<Translation>& translations, Options& options) {
  for (const Translation& translation : translations) {
    const Options own = parse_options(translation.options, OptionsFor::build).options;
    options.disable_optimization |= own.disable_optimization;
    options.optimization_level = std::min(options.optimization_level, own.optimization_level);
    if (own.max_registers && (!options.max_registers || own.max_registers < options.max_registers))
      options.max_registers = own.max_registers;
  }
}

// The options of an executable: those given either to build it or to link it, and those of its modules.
Options options_of(const CompiledProgram& executable) {
  ParsedOptions parsed = parse_options(executable.options, OptionsFor::build);
  if (!parsed.problem.empty()) parsed = parse_options(executable.options, OptionsFor::link);
  take_options_of_modules(executable.translations, parsed.options);
  return parsed.options;
}

// Prepares an executable again that was read from a binary. Fails if its source is not that of its device code.
bool prepare_again(Workspace& work, const CompiledProgram& executable, CompiledProgram& again,
                   std::string& log) {
  again.target = executable.target;
  if (!prepare(work, options_of(executable), again, log)) return false;
  if (again.kernels == executable.kernels && again.printf_formats == executable.printf_formats &&
      again.uniform_is_general == executable.uniform_is_general)
    return true;
  log += "error: the binary's text is not that of its device code\n";
  return false;
}

}  // namespace

std::string problem_of_options(const std::string& options, OptionsFor purpose, const Target& target) {
  return parse_options_for(options, purpose, target).problem;
}

Outcome build(const Source& source, const std::string& options_text, const Target& target,
              const DeviceFeatures& features) {
  Outcome outcome;
  WorkBudget budget(compilation_limits());
  guarded(outcome, budget, [&](Workspace& work) {
    const auto options = take_options(options_text, OptionsFor::build, target, outcome);
    if (!options) return Status::invalid_options;
    work.module = translate({source, *options, outcome.program.target, features}, work.context, outcome);
    if (!work.module) return Status::failure;
    return make_executable(work, budget, *options, target, outcome.program, outcome.log);
  });
  return outcome;
}

Outcome compile(const Source& source, const std::string& options_text, const Target& target,
                const DeviceFeatures& features) {
  Outcome outcome;
  WorkBudget budget(compilation_limits());
  guarded(outcome, budget, [&](Workspace& work) {
    const auto options = take_options(options_text, OptionsFor::compile, target, outcome);
    if (!options) return Status::invalid_options;
    outcome.program.kind = BinaryKind::compiled_object;
    work.module = translate({source, *options, outcome.program.target, features}, work.context, outcome);
    if (!work.module) return Status::failure;
    outcome.program.bitcode = write_bitcode(*work.module);
    return Status::success;
  });
  return outcome;
}

Outcome link(std::span<const CompiledProgram* const> objects, const std::string& options_text,
             const Target& target) {
  Outcome outcome;
  WorkBudget budget(compilation_limits());
  guarded(outcome, budget, [&](Workspace& work) {
    auto options = take_options(options_text, OptionsFor::link, target, outcome);
    if (!options) return Status::invalid_options;
    collect_diagnostics(work.context, outcome.log, work.failed);
    for (const CompiledProgram* object : objects) {
      const bool denorms_are_zero = options->denorms_are_zero && takes_link_options(*object);
      if (!add_object(work, *object, denorms_are_zero, outcome.program.target, outcome.log))
        return Status::failure;
      for (Translation translation : object->translations) {
        if (denorms_are_zero) translation.options += " -cl-denorms-are-zero";
        outcome.program.translations.push_back(std::move(translation));
      }
    }
    if (!work.module) return Status::failure;
    if (!options->create_library) {
      take_options_of_modules(outcome.program.translations, *options);
      return make_executable(work, budget, *options, target, outcome.program, outcome.log);
    }
    outcome.program.kind = BinaryKind::library;
    outcome.program.bitcode = write_bitcode(*work.module);
    return Status::success;
  });
  return outcome;
}

namespace {

// Loads the executable's module. Returns the executable that has its bitcode: `executable`, or `again` if it was read from a binary. Null
// if that fails.
const CompiledProgram* prepared(Workspace& work, const CompiledProgram& executable, CompiledProgram& again,
                                std::string& log) {
  if (executable.kind != BinaryKind::executable) return nullptr;
  collect_diagnostics(work.context, log, work.failed);
  if (!executable.bitcode.empty()) {
    work.module = read_bitcode(executable.bitcode, work.context, log);
    return work.module ? &executable : nullptr;
  }
  const bool made = add_object(work, executable, false, executable.target, log) && work.module &&
                    prepare_again(work, executable, again, log);
  return made ? &again : nullptr;
}

}  // namespace

VariantOutcome make_general_variant(const CompiledProgram& executable) {
  VariantOutcome outcome;
  WorkBudget budget(compilation_limits());
  guarded(outcome, budget, [&](Workspace& work) {
    CompiledProgram again;
    const CompiledProgram* program = prepared(work, executable, again, outcome.log);
    if (!program) return Status::failure;
    const Options options = options_of(executable);
    return make_code(work, {options, executable.target, Variant::general, budget}, *program, outcome.code,
                     outcome.log);
  });
  return outcome;
}

VariantOutcome make_specialized(const CompiledProgram& executable, std::size_t kernel,
                                const LaunchTraits& traits) {
  VariantOutcome outcome;
  WorkBudget budget(compilation_limits());
  guarded(outcome, budget, [&](Workspace& work) {
    CompiledProgram again;
    const CompiledProgram* program = prepared(work, executable, again, outcome.log);
    if (!program || program->uniform_is_general) return Status::failure;
    const std::vector<KernelInfo> kernels{program->kernels[kernel]};
    std::vector<KnownImage> by_argument(kernels[0].arguments.size());
    for (std::size_t i = 0; i < by_argument.size(); ++i)
      if (const auto known =
              std::ranges::find(traits.images, kernels[0].arguments[i].offset, &KnownImage::argument);
          known != traits.images.end())
        by_argument[i] = *known;
    work.module = read_kernels(program->bitcode, kernels, work.context);
    const Options options = options_of(executable);
    Part part;
    const Recipe recipe{.options = options,
                        .target = executable.target,
                        .variant = Variant::uniform,
                        .budget = budget,
                        .images = &by_argument,
                        .arguments_overlap = traits.arguments_overlap};
    const Status status = make_part(work, recipe, kernels, part, outcome.log);
    outcome.code = std::move(part.code);
    return status;
  });
  return outcome;
}

}  // namespace clcuda::compiler
