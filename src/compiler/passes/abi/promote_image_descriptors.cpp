// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/promote_image_descriptors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>

#include "builtins/image_descriptor.h"
#include "compiler/compiled_program.h"
#include "compiler/passes/abi/limit_parameter_alignment.h"
#include "compiler/passes/kernel_functions.h"
#include "compiler/passes/names.h"

namespace clcuda::compiler {
namespace {

// The inline PTX of texture_of and access_of in builtins/.
constexpr llvm::StringRef kLoadText = "ld.global.nc.v2.u64 {$0, $1}, [$2];";
// Kernel parameters have 4 KB, part of which the launch record needs.
constexpr std::uint64_t kMostParts = 64, kMostOtherBytes = 2048;

struct Part {
  unsigned argument;
  std::uint64_t place;
  friend bool operator==(const Part&, const Part&) = default;
};

bool is_image(const llvm::Argument& argument) {
  const auto operand = [&](const char* kind) {
    return argument_text(*argument.getParent(), kind, argument.getArgNo());
  };
  return operand("kernel_arg_base_type").starts_with("image") && operand("kernel_arg_access_qual") != "none";
}

// The part of a descriptor that the call loads.
std::optional<Part> part_loaded(const llvm::CallInst& call, const llvm::DataLayout& layout) {
  const auto* text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!text || text->getAsmString() != kLoadText) return {};
  const llvm::Value* address = call.getArgOperand(0);
  llvm::APInt place(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const auto* image = llvm::dyn_cast<llvm::Argument>(
      address->stripAndAccumulateConstantOffsets(layout, place, /*AllowNonInbounds=*/true));
  if (!image || !is_image(*image) || place.ugt(sizeof(clcuda_image) - kImagePartSize)) return {};
  return Part{image->getArgNo(), place.getZExtValue()};
}

std::uint64_t parameter_bytes(const llvm::Function& kernel, const llvm::DataLayout& layout) {
  std::uint64_t bytes = 0;
  for (const llvm::Argument& argument : kernel.args()) {
    llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    bytes = llvm::alignTo(bytes, kMostParameterAlignment) + layout.getTypeAllocSize(type);
  }
  return bytes;
}

llvm::AttributeSet parameter_attributes(llvm::LLVMContext& context, llvm::ArrayRef<Part> parts) {
  std::string list;
  for (const Part& part : parts)
    list += std::to_string(part.argument) + " " + std::to_string(part.place) + " ";
  llvm::AttrBuilder attributes(context);
  attributes.addAlignmentAttr(kMostParameterAlignment);
  attributes.addAttribute(llvm::Attribute::NoAlias);
  attributes.addAttribute(llvm::Attribute::ReadOnly);
  attributes.addByValAttr(
      llvm::ArrayType::get(llvm::Type::getInt64Ty(context), parts.size() * kImagePartSize / 8));
  attributes.addAttribute("nvvm.grid_constant");
  attributes.addAttribute(kImagePartsAttribute, list);
  return llvm::AttributeSet::get(context, attributes);
}

void take_from_parameter(llvm::CallInst& load, llvm::Argument& parameter, std::size_t index) {
  llvm::IRBuilder<> builder(&load);
  llvm::Value* both = llvm::PoisonValue::get(load.getType());
  for (unsigned half = 0; half < 2; ++half) {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), &parameter,
                                                              index * (kImagePartSize / 8) + half);
    auto* value = builder.CreateAlignedLoad(builder.getInt64Ty(), address, llvm::Align(half ? 8 : 16));
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
    both = builder.CreateInsertValue(both, value, half);
  }
  load.replaceAllUsesWith(both);
  load.eraseFromParent();
}

void pass_parts(llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getDataLayout();
  llvm::SmallVector<Part> parts;
  llvm::SmallVector<std::pair<llvm::CallInst*, std::size_t>> loads;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const std::optional<Part> part = call ? part_loaded(*call, layout) : std::nullopt;
    if (!part) continue;
    auto* known = llvm::find(parts, *part);
    const std::size_t index = static_cast<std::size_t>(known - parts.begin());
    if (index == kMostParts) continue;
    if (known == parts.end()) parts.push_back(*part);
    loads.emplace_back(call, index);
  }
  if (parts.empty() || parameter_bytes(kernel, layout) > kMostOtherBytes) return;
  llvm::Function* changed = append_parameter(kernel, llvm::PointerType::get(kernel.getContext(), 0),
                                             parameter_attributes(kernel.getContext(), parts), "image_parts");
  for (const auto& [load, index] : loads)
    take_from_parameter(*load, *changed->getArg(changed->arg_size() - 1), index);
}

}  // namespace

llvm::PreservedAnalyses PromoteImageDescriptors::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* kernel : kernels_of(module))
    if (!is_block_kernel(*kernel)) pass_parts(*kernel);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
