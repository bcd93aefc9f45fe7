// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/limit_parameter_alignment.h"

#include <algorithm>

#include "compiler/passes/kernel_functions.h"

namespace clcuda::compiler {
namespace {

llvm::Align alignment_of(const llvm::Argument& argument) {
  const llvm::MaybeAlign own = argument.getParamAlign();
  if (argument.hasByValAttr() && own) return *own;
  return argument.getParent()->getDataLayout().getABITypeAlign(
      argument.hasByValAttr() ? argument.getParamByValType() : argument.getType());
}

void bound(llvm::Argument& argument) {
  if (alignment_of(argument) <= kMostParameterAlignment) return;
  // The PTX emitter prefers the attribute stackalign to a parameter's own alignment.
  argument.addAttr(llvm::Attribute::getWithStackAlignment(argument.getContext(), kMostParameterAlignment));
  if (!argument.hasByValAttr()) return;
  argument.removeAttr(llvm::Attribute::Alignment);
  argument.addAttr(llvm::Attribute::getWithAlignment(argument.getContext(), kMostParameterAlignment));
}

}  // namespace

llvm::PreservedAnalyses LimitParameterAlignment::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  if (!is_kernel(function)) return llvm::PreservedAnalyses::all();
  for (llvm::Argument& argument : function.args()) bound(argument);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
