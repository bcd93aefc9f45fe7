// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/align_arguments.h"

#include <algorithm>

#include "compiler/passes/address_spaces.h"
#include "compiler/uniform_addresses.h"

namespace clcuda::compiler {
namespace {

bool is_address(const llvm::Argument& argument) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  return pointer && !argument.hasByValAttr() &&
         (pointer->getAddressSpace() == global_space || pointer->getAddressSpace() == constant_space);
}

}  // namespace

void align_arguments(llvm::Module& module, const Lowering& lowering) {
  if (lowering.variant != Variant::uniform) return;
  for (llvm::Function* kernel : kernels_of(module)) {
    for (llvm::Argument& argument : kernel->args()) {
      if (!is_address(argument)) continue;
      const llvm::Align known = argument.getParamAlign().valueOrOne();
      argument.removeAttr(llvm::Attribute::Alignment);
      argument.addAttr(llvm::Attribute::getWithAlignment(
          module.getContext(), std::max(known, llvm::Align(uniform_address_alignment))));
    }
  }
}

}  // namespace clcuda::compiler
