// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/denormal_mode.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr char kModeAttribute[] = "denormal-fp-math-f32";

}  // namespace

bool has_denormal_mode(const llvm::Function& function) { return function.hasFnAttribute(kModeAttribute); }

void set_denormal_mode(llvm::Function& function, bool flush) {
  function.addFnAttr(kModeAttribute, flush ? "preserve-sign,preserve-sign" : "ieee,ieee");
}

bool flushes_denormals(const llvm::Function& function) {
  return function.getFnAttribute(kModeAttribute).getValueAsString().starts_with("preserve-sign");
}

bool flushes_denormals(llvm::Module& module) {
  const auto kernels = kernels_of(module);
  return !kernels.empty() &&
         std::ranges::all_of(kernels, [](const auto* kernel) { return flushes_denormals(*kernel); });
}

}  // namespace clcuda::compiler
