// SPDX-License-Identifier: Apache-2.0
// clcuda-opt -passes=name[,…] [-S] [--variant=uniform|general] [--sm=90] [--ptx=78] [--build-options=…] file.ll
//
// Runs passes over a module as LLVM's opt does and writes the result as text to the standard output. clcuda's passes
// (src/compiler/passes/passes.def) and LLVM's can be named together; function passes and module passes are not mixed at one level:
// -passes='lower_samplers,function(fold_add_into_select,instcombine)'. A module without a target gets NVPTX's. Options of opt such as
// -print-after=name, -print-changed and -opt-bisect-limit=n are supported as well; --print-passes lists all passes.
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <optional>
#include <string>

#include "base/compiler_thread.h"
#include "compiler/build_thread.h"
#include "compiler/emit_ptx.h"
#include "compiler/lowering.h"
#include "compiler/passes/registry.h"
#include "compiler/program_error.h"

namespace {

using namespace clcuda::compiler;
namespace cl = llvm::cl;

cl::opt<std::string> file(cl::Positional, cl::desc("file.ll"), cl::init("-"));
cl::opt<std::string> pipeline("passes", cl::desc("The passes to run, in opt's syntax"));
cl::opt<bool> as_text("S", cl::desc("Accepted for opt's sake: the module is always written as text"));
cl::opt<bool> print_passes("print-passes", cl::desc("List the passes and leave"));
cl::opt<int> sm("sm", cl::desc("Compute capability × 10 of the target"), cl::init(90));
cl::opt<int> ptx("ptx", cl::desc("Newest PTX version of the target × 10"), cl::init(78));
cl::opt<Variant> variant("variant", cl::desc("The variant that code is made for"), cl::init(Variant::uniform),
                         cl::values(clEnumValN(Variant::uniform, "uniform", "the usual launches"),
                                    clEnumValN(Variant::general, "general", "all launches")));
cl::opt<std::string> build_options("build-options", cl::desc("Options of clBuildProgram"));

void list_passes(llvm::PassBuilder& builder) {
  for (const auto& [level, name, stage, reason] : pass_descriptions())
    llvm::outs() << name << " (" << level << ", " << stage << "): " << reason << "\n";
  builder.printPassNames(llvm::outs());
}

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, const llvm::TargetMachine& machine) {
  llvm::SMDiagnostic problem;
  const auto own_or_machines = [&](llvm::StringRef, llvm::StringRef layout) {
    return layout.empty() ? std::optional(machine.createDataLayout().getStringRepresentation())
                          : std::nullopt;
  };
  auto module = llvm::parseIRFile(file, problem, context, llvm::ParserCallbacks(own_or_machines));
  if (!module) {
    problem.print("clcuda-opt", llvm::errs());
    return nullptr;
  }
  if (module->getTargetTriple().str().empty()) module->setTargetTriple(machine.getTargetTriple());
  if (llvm::verifyModule(*module, &llvm::errs())) return nullptr;
  return module;
}

int run(const Lowering& lowering) {
  llvm::LLVMContext context;
  const auto machine = create_target_machine(lowering.target, lowering.options, 0);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::StandardInstrumentations instrumentations(context, /*DebugLogging=*/false);
  instrumentations.registerCallbacks(callbacks, &modules);
  llvm::PassBuilder builder(machine.get(), {}, std::nullopt, &callbacks);
  register_passes(builder, callbacks, lowering);
  if (print_passes) {
    list_passes(builder);
    return 0;
  }
  const auto module = read_module(context, *machine);
  if (!module) return 1;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline)) {
    llvm::errs() << "clcuda-opt: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  passes.addPass(llvm::VerifierPass());
  passes.run(*module, modules);
  module->print(llvm::outs(), nullptr);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  cl::ParseCommandLineOptions(count, words, "passes of clcuda's compiler over a module\n");
  const auto [options, problem] = parse_options(build_options, OptionsFor::build);
  if (!problem.empty()) {
    llvm::errs() << "clcuda-opt: " << problem << "\n";
    return 1;
  }
  const Target target{sm, ptx};
  int status = 1;
  try {
    run_on_build_thread([&] {
      try {
        status = run({options, target, variant});
      } catch (const ProgramError& error) {
        llvm::errs() << error.reason << "\n";
      }
    });
  } catch (const clcuda::CompilerFault& fault) {
    llvm::errs() << "clcuda-opt: " << fault.reason << "\n";
  }
  llvm::outs().flush();
  return status;
}
