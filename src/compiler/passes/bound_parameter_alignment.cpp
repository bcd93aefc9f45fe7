// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/passes/passes.h"

namespace clcuda::compiler {
namespace {

llvm::Align alignment_of(const llvm::Argument& argument) {
  const llvm::MaybeAlign own = argument.getParamAlign();
  if (argument.hasByValAttr() && own) return *own;
  return argument.getParent()->getDataLayout().getABITypeAlign(
      argument.hasByValAttr() ? argument.getParamByValType() : argument.getType());
}

void bound(llvm::Argument& argument) {
  if (alignment_of(argument) <= most_parameter_alignment) return;
  // stackalign is what the PTX emitter lets override a parameter's alignment.
  argument.addAttr(llvm::Attribute::getWithStackAlignment(argument.getContext(), most_parameter_alignment));
  if (!argument.hasByValAttr()) return;
  argument.removeAttr(llvm::Attribute::Alignment);
  argument.addAttr(llvm::Attribute::getWithAlignment(argument.getContext(), most_parameter_alignment));
}

}  // namespace

void bound_parameter_alignment(llvm::Module& module, const Lowering&) {
  for (llvm::Function* kernel : kernels_of(module))
    for (llvm::Argument& argument : kernel->args()) bound(argument);
}

}  // namespace clcuda::compiler
