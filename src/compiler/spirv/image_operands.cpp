// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/image_operands.h"

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

bool is_zero(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isZeroValue();
}

}  // namespace

ImageOperands image_operands(FunctionReader& reader, const Instruction& in, std::size_t index) {
  constexpr std::uint32_t kHints =
      ImageOperandsMask::NonPrivateTexel | ImageOperandsMask::VolatileTexel | ImageOperandsMask::Nontemporal;
  ImageOperands result;
  if (index >= in.size()) return result;
  const std::uint32_t mask = in[index++];
  constexpr std::uint32_t kNown = kHints | ImageOperandsMask::Lod | ImageOperandsMask::Grad |
                                  ImageOperandsMask::SignExtend | ImageOperandsMask::ZeroExtend;
  require((mask & ~kNown) == 0, "kernels have no image operands other than Lod, Grad and extensions");
  if (mask & ImageOperandsMask::Lod) {
    result.level = reader.value(in[index++]);
    if (is_zero(result.level)) result.level = nullptr;
  }
  if (mask & ImageOperandsMask::Grad) {
    require(!(mask & ImageOperandsMask::Lod), "it has both a level and gradients");
    result.gradient_x = reader.value(in[index++]);
    result.gradient_y = reader.value(in[index++]);
  }
  if (mask & ImageOperandsMask::SignExtend) result.sign = Sign::with;
  if (mask & ImageOperandsMask::ZeroExtend) result.sign = Sign::without;
  return result;
}

}  // namespace clcuda::compiler::spirv
