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

constexpr auto kLinkedAlignment = llvm::Align::Constant<kLinkedLocalAlignment>();

llvm::Align alignment_of(const llvm::Argument& argument, Variant variant) {
  if (is_block_kernel(*argument.getParent())) return kBlockArgumentAlignment;
  const llvm::Align known = argument.getParamAlign().valueOrOne();
  return variant == Variant::uniform ? std::max(known, llvm::Align(kUniformAddressAlignment)) : known;
}

llvm::Value* round_down(llvm::IRBuilder<>& builder, llvm::GlobalVariable& memory, llvm::Align alignment) {
  llvm::Type* index = memory.getDataLayout().getIndexType(memory.getType());
  llvm::Constant* mask = llvm::ConstantInt::get(index, ~(alignment.value() - 1));
  return builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {memory.getType(), index}, {&memory, mask});
}

void lower(llvm::Function& kernel, Variant variant, bool is_linked) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::GlobalVariable& memory = dynamic_local_memory(*kernel.getParent());
  llvm::Align most;
  for (const llvm::Argument& argument : kernel.args())
    if (is_local_pointer(argument.getType())) most = std::max(most, alignment_of(argument, variant));
  memory.setAlignment(
      std::max(memory.getAlign().valueOrOne(), is_linked ? std::min(most, kLinkedAlignment) : most));
  // builtins/device_enqueue.cl chooses offsets for blocks that lead to multiples of their alignment.
  const bool rounds = is_linked && most > kLinkedAlignment && !is_block_kernel(kernel);

  llvm::SmallVector<llvm::Type*> types;
  llvm::AttributeList attributes = kernel.getAttributes();
  for (const llvm::Argument& argument : kernel.args()) {
    if (!is_local_pointer(argument.getType())) {
      types.push_back(argument.getType());
      continue;
    }
    types.push_back(llvm::Type::getInt32Ty(context));
    attributes = attributes.removeParamAttributes(context, argument.getArgNo());
  }
  change_parameters(kernel, types, attributes, [&](llvm::Function& changed, unsigned index) -> llvm::Value* {
    llvm::Argument* argument = changed.getArg(index);
    const bool lowered =
        argument->getType()->isIntegerTy(32) && is_local_pointer(kernel.getArg(index)->getType());
    if (!lowered) return argument;
    llvm::IRBuilder<> builder(&*changed.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Value* address =
        rounds ? builder.CreateGEP(builder.getInt8Ty(), round_down(builder, memory, most), argument)
               : builder.CreateInBoundsGEP(builder.getInt8Ty(), &memory, argument);
    builder.CreateAlignmentAssumption(changed.getDataLayout(), address,
                                      alignment_of(*kernel.getArg(index), variant).value());
    return address;
  });
}

}  // namespace

llvm::PreservedAnalyses LowerLocalArguments::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
  const bool is_linked = needs_device_runtime(module);
  for (llvm::Function* kernel : kernels_of(module)) {
    if (std::ranges::any_of(kernel->args(),
                            [](const auto& argument) { return is_local_pointer(argument.getType()); })) {
      lower(*kernel, variant_, is_linked);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
