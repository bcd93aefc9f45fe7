// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr char mode_attribute[] = "denormal-fp-math-f32";

}  // namespace

bool flushes_subnormals(const llvm::Function& function) {
  return function.getFnAttribute(mode_attribute).getValueAsString().starts_with("preserve-sign");
}

bool flushes_subnormals(llvm::Module& module) {
  const auto kernels = kernels_of(module);
  return !kernels.empty() &&
         std::ranges::all_of(kernels, [](const auto* kernel) { return flushes_subnormals(*kernel); });
}

// The inliner keeps functions of different modes apart, and the library was compiled for none in particular.
void adopt_subnormal_mode(llvm::Module& module, const Lowering& lowering) {
  if (!flushes_subnormals(module) && !lowering.options.denorms_are_zero) return;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) function.addFnAttr(mode_attribute, "preserve-sign,preserve-sign");
  }
}

}  // namespace clcuda::compiler
