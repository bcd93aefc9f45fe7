// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/denormal_mode.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

constexpr char mode_attribute[] = "denormal-fp-math-f32";

}  // namespace

bool has_denormal_mode(const llvm::Function& function) { return function.hasFnAttribute(mode_attribute); }

void set_denormal_mode(llvm::Function& function, bool flush) {
  function.addFnAttr(mode_attribute, flush ? "preserve-sign,preserve-sign" : "ieee,ieee");
}

bool flushes_denormals(const llvm::Function& function) {
  return function.getFnAttribute(mode_attribute).getValueAsString().starts_with("preserve-sign");
}

bool flushes_denormals(llvm::Module& module) {
  const auto kernels = kernels_of(module);
  return !kernels.empty() &&
         std::ranges::all_of(kernels, [](const auto* kernel) { return flushes_denormals(*kernel); });
}

}  // namespace clcuda::compiler
