// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/lower_samplers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "builtins/image_descriptor.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// The number (builtins/image_descriptor.h) of a literal sampler, whose bits are CLK_ constants combined by `|`: normalised coordinates in
// bit 0, the addressing mode above it, the filter in bits 4 and 5.
std::uint64_t number_of_literal(std::uint64_t bits) {
  constexpr std::uint64_t kLinear = 0x20;
  // CLK_ADDRESS_NONE: coordinates outside the image are undefined behaviour, so any clamping mode will do.
  const unsigned none = bits & kLinear ? CLCUDA_SAMPLER_CLAMP_TO_EDGE : CLCUDA_SAMPLER_CLAMP;
  const unsigned by_addressing[8] = {none, CLCUDA_SAMPLER_CLAMP_TO_EDGE, CLCUDA_SAMPLER_CLAMP,
                                     CLCUDA_SAMPLER_REPEAT, CLCUDA_SAMPLER_MIRRORED_REPEAT};
  return clcuda_sampler_number(by_addressing[bits >> 1 & 7], bits & 1, bits & kLinear);
}

bool is_sampler(const llvm::Function& kernel, unsigned index) {
  return argument_text(kernel, "kernel_arg_base_type", index) == "sampler_t";
}

bool takes_samplers(const llvm::Function& kernel) {
  for (unsigned i = 0; i < kernel.arg_size(); ++i)
    if (is_sampler(kernel, i) && kernel.getArg(i)->getType()->isPointerTy()) return true;
  return false;
}

void lower_arguments(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::SmallVector<llvm::Type*> types;
  llvm::AttributeList attributes = kernel.getAttributes();
  std::vector<llvm::Type*> pointers(kernel.arg_size(), nullptr);
  for (const llvm::Argument& argument : kernel.args()) {
    const unsigned index = argument.getArgNo();
    if (is_sampler(kernel, index)) {
      types.push_back(llvm::Type::getInt64Ty(context));
      attributes = attributes.removeParamAttributes(context, index);
      pointers[index] = argument.getType();
    } else {
      types.push_back(argument.getType());
    }
  }
  change_parameters(kernel, types, attributes, [&](llvm::Function& changed, unsigned index) -> llvm::Value* {
    llvm::Argument* argument = changed.getArg(index);
    if (!pointers[index]) return argument;
    llvm::IRBuilder<> builder(&*changed.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    return builder.CreateIntToPtr(argument, pointers[index]);
  });
}

}  // namespace

std::uint32_t literal_samplers(const llvm::Module& module) {
  std::uint32_t states = 0;
  const llvm::Function* literal = module.getFunction(kLiteralSamplerFunction);
  if (!literal) return states;
  for (const llvm::User* user : literal->users()) {
    const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(user)->getArgOperand(0));
    if (bits) states |= 1u << number_of_literal(bits->getZExtValue());
  }
  return states;
}

llvm::PreservedAnalyses LowerSamplers::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* kernel : kernels_of(module))
    if (takes_samplers(*kernel)) lower_arguments(*kernel);
  llvm::Function* literal = module.getFunction(kLiteralSamplerFunction);
  if (!literal) return llvm::PreservedAnalyses::none();
  for (llvm::User* user : llvm::make_early_inc_range(literal->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    const auto* bits = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()),
                                          number_of_literal(bits->getZExtValue()));
    call->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(number, call->getType()));
    call->eraseFromParent();
  }
  literal->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
