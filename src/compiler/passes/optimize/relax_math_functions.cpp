// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/relax_math_functions.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <string>
#include <vector>

#include "compiler/passes/mangled_name.h"

namespace clcuda::compiler {
namespace {

struct Relaxation {
  llvm::StringRef precise, relaxed;
};
// Each comment has the error according to CUDA's table of intrinsic functions, then the error that the specification allows.
constexpr Relaxation kRelaxations[] = {
    {"cos", "native_cos"},                  // 2^-21.19 in [-pi, pi]; 2^-11
    {"sin", "native_sin"},                  // 2^-21.41 in [-pi, pi]; 2^-11
    {"sincos", "__clcuda_relaxed_sincos"},  // like sin and cos
    {"tan", "native_tan"},                  // derived from sin and cos
    {"tanh", "__clcuda_relaxed_tanh"},      // 2^-11 of the result; 8192 ulp
    {"exp", "native_exp"},                  // 2 + |1.173 x| ulp; 3 + |2 x|
    {"exp2", "native_exp2"},                // 2 ulp; 3 + |2 x|
    {"exp10", "native_exp10"},              // derived from exp2
    {"log", "__clcuda_relaxed_log"},        // 2^-22.4 in [0.5, 2], else 2.6 ulp; 2^-21, 3
    {"log2", "native_log2"},                // 2^-22 in [0.5, 2], else 2 ulp; 2^-21, 3
    {"log10", "native_log10"},              // 2^-24 in [0.5, 2], else 3 ulp; 2^-21, 3
    {"pow", "__clcuda_relaxed_pow"},        // derived from exp2 and log2
    {"pown", "__clcuda_relaxed_pown"},      // the same
    {"powr", "native_powr"},                // the same
};

void redirect(llvm::Function& precise, const MangledName& name, llvm::StringRef relaxed) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::User* user : precise.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call && call->getCalledOperand() == &precise && call->hasApproxFunc()) calls.push_back(call);
  }
  if (calls.empty()) return;
  const llvm::FunctionCallee callee = precise.getParent()->getOrInsertFunction(
      mangled(relaxed, name.parameters), precise.getFunctionType(), precise.getAttributes());
  for (llvm::CallBase* call : calls) call->setCalledFunction(callee);
}

}  // namespace

llvm::PreservedAnalyses RelaxMathFunctions::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getReturnType()->getScalarType()->isFloatTy()) continue;
    const std::optional<MangledName> name = split_mangled(function.getName());
    if (!name) continue;
    for (const auto& [precise, relaxed] : kRelaxations)
      if (name->name == precise) redirect(function, *name, relaxed);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
