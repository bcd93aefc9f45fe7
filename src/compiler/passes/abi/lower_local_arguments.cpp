// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_local_arguments.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/passes/address_spaces.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/uniform_addresses.h"

namespace clcuda::compiler {
namespace {

bool is_local_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kLocalSpace;
}

// Where builtins/device_enqueue.cl places local arguments of blocks, whose pointees are unknown.
constexpr llvm::Align kBlockArgumentAlignment = llvm::Align::Constant<128>();

llvm::Align alignment_of(const llvm::Argument& argument, Variant variant) {
  if (is_block_kernel(*argument.getParent())) return kBlockArgumentAlignment;
  const llvm::Align known = argument.getParamAlign().valueOrOne();
  return variant == Variant::uniform ? std::max(known, llvm::Align(kUniformAddressAlignment)) : known;
}

void lower(llvm::Function& kernel, Variant variant) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::SmallVector<llvm::Type*> types;
  llvm::AttributeList attributes = kernel.getAttributes();
  llvm::Align largest;  // all offsets count from one address, so that arguments do not overlap
  for (const llvm::Argument& argument : kernel.args()) {
    if (!is_local_pointer(argument.getType())) {
      types.push_back(argument.getType());
      continue;
    }
    types.push_back(llvm::Type::getInt32Ty(context));
    attributes = attributes.removeParamAttributes(context, argument.getArgNo());
    largest = std::max(largest, alignment_of(argument, variant));
  }
  change_parameters(kernel, types, attributes, [&](llvm::Function& changed, unsigned index) -> llvm::Value* {
    llvm::Argument* argument = changed.getArg(index);
    const llvm::Argument* old = kernel.getArg(index);
    if (!is_local_pointer(old->getType())) return argument;
    llvm::IRBuilder<> builder(&*changed.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Value* address = dynamic_local_address(builder, argument, largest);
    builder.CreateAlignmentAssumption(changed.getDataLayout(), address, alignment_of(*old, variant).value());
    return address;
  });
}

}  // namespace

llvm::PreservedAnalyses LowerLocalArguments::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  for (llvm::Function* kernel : kernels_of(module)) {
    if (std::ranges::any_of(kernel->args(),
                            [](const auto& argument) { return is_local_pointer(argument.getType()); })) {
      lower(*kernel, variant_);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
