// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimize/align_arguments.h"

#include <algorithm>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/uniform_addresses.h"

namespace clcuda::compiler {
namespace {

bool is_address(const llvm::Argument& argument) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  return pointer && !argument.hasByValAttr() &&
         (pointer->getAddressSpace() == kGlobalSpace || pointer->getAddressSpace() == kConstantSpace);
}

}  // namespace

llvm::PreservedAnalyses AlignArguments::run(llvm::Function& function, llvm::FunctionAnalysisManager&) const {
  if (variant_ != Variant::uniform || !is_kernel(function)) return llvm::PreservedAnalyses::all();
  for (llvm::Argument& argument : function.args()) {
    if (!is_address(argument)) continue;
    const llvm::Align known = argument.getParamAlign().valueOrOne();
    argument.removeAttr(llvm::Attribute::Alignment);
    argument.addAttr(llvm::Attribute::getWithAlignment(
        function.getContext(), std::max(known, llvm::Align(kUniformAddressAlignment))));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
