// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/machine_code.h"

#include <llvm/ADT/Any.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace clcuda::ptx {
namespace {

std::string host_features() {
  std::vector<std::string> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::ranges::sort(features);
  std::string joined;
  for (const std::string& feature : features) joined += (joined.empty() ? "" : ",") + feature;
  return joined;
}

// LLVM's passes look at `optnone` only where somebody asks before each.
bool is_wanted(const llvm::Any& unit) {
  const llvm::Function* function = nullptr;
  if (const auto* found = llvm::any_cast<const llvm::Function*>(&unit)) function = *found;
  if (const auto* found = llvm::any_cast<const llvm::Loop*>(&unit))
    function = (*found)->getHeader()->getParent();
  return !function || !function->hasOptNone();
}

struct Pipeline {
  explicit Pipeline(llvm::TargetMachine& machine) : builder(&machine, options(), std::nullopt, &callbacks) {
    callbacks.registerShouldRunOptionalPassCallback(
        [](llvm::StringRef, const llvm::Any& unit) { return is_wanted(unit); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(call_graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, call_graphs, modules);
  }

  static llvm::PipelineTuningOptions options() {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.LoopInterleaving = true;
    // PTX comes with its loops unrolled; what is left are loops over work-items.
    tuning.LoopUnrolling = false;
    tuning.SLPVectorization = true;
    return tuning;
  }

  llvm::PassInstrumentationCallbacks callbacks;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

// Values into registers, and little else: a tenth of the time.
llvm::ModulePassManager quick_pipeline() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(llvm::GlobalDCEPass());
  return passes;
}

void verify(llvm::Module& module) {
  std::string reason;
  llvm::raw_string_ostream out(reason);
  if (llvm::verifyModule(module, &out))
    throw std::runtime_error("internal error: invalid code was made: " + reason.substr(0, 400));
}

}  // namespace

const std::string& host_name() {
  static const std::string name = llvm::sys::getHostCPUName().str() + ":" + host_features();
  return name;
}

std::unique_ptr<llvm::TargetMachine> make_host_machine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::string reason;
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) throw std::runtime_error(reason);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // PTX says itself what is fused
  auto* machine =
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), host_features(), options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default);
  if (!machine) throw std::runtime_error("no code generator for this host");
  return std::unique_ptr<llvm::TargetMachine>(machine);
}

void simplify(llvm::Module& module, llvm::TargetMachine& machine) {
  verify(module);
  Pipeline pipeline(machine);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, pipeline.modules);
}

std::string make_object(llvm::Module& module, llvm::TargetMachine& machine, Effort effort) {
  verify(module);
  // Code generation takes ten times as long as it has to where it is to be good.
  if (effort != Effort::usual) machine.setOptLevel(llvm::CodeGenOptLevel::None);
  {
    Pipeline pipeline(machine);
    auto passes = effort == Effort::least
                      ? quick_pipeline()
                      : pipeline.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    passes.run(module, pipeline.modules);
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager emit;
  if (machine.addPassesToEmitFile(emit, out, nullptr, llvm::CodeGenFileType::ObjectFile, true))
    throw std::runtime_error("this host's code generator makes no objects");
  emit.run(module);
  return std::string(bytes.data(), bytes.size());
}

}  // namespace clcuda::ptx
