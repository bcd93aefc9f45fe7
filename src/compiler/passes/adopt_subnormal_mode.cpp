// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

constexpr char mode_attribute[] = "denormal-fp-math-f32";
constexpr char flushing[] = "preserve-sign,preserve-sign", keeping[] = "ieee,ieee";

}  // namespace

bool flushes_subnormals(const llvm::Function& function) {
  return function.getFnAttribute(mode_attribute).getValueAsString().starts_with("preserve-sign");
}

bool flushes_subnormals(llvm::Module& module) {
  const auto kernels = kernels_of(module);
  return !kernels.empty() &&
         std::ranges::all_of(kernels, [](const auto* kernel) { return flushes_subnormals(*kernel); });
}

void settle_subnormal_mode(llvm::Module& module, bool flush) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (flush || !function.hasFnAttribute(mode_attribute))
      function.addFnAttr(mode_attribute, flush ? flushing : keeping);
  }
}

// The inliner keeps functions of different modes apart, and the library was compiled for none in particular.
void adopt_subnormal_mode(llvm::Module& module, const Lowering&) {
  if (!flushes_subnormals(module)) return;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !function.hasFnAttribute(mode_attribute))
      function.addFnAttr(mode_attribute, flushing);
  }
}

}  // namespace clcuda::compiler
