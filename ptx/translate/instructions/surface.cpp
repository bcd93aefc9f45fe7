// SPDX-License-Identifier: Apache-2.0
// suld sust: calls of runtime functions, for up to 16 bytes.
#include "ptx/abi/surface_clamp.h"
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

std::size_t vector_length(const Instruction& in) {
  return in.has(Modifier::v4) ? 4 : in.has(Modifier::v2) ? 2 : 1;
}

std::uint32_t clamp_of(const Instruction& in) {
  return static_cast<std::uint32_t>(in.has(Modifier::zero)    ? SurfaceClamp::zero
                                    : in.has(Modifier::clamp) ? SurfaceClamp::clamp
                                                              : SurfaceClamp::trap);
}

const Operand& element(const Operand& operand, std::size_t index) {
  return operand.kind == Operand::Kind::vector ? operand.elements[index] : operand;
}

}  // namespace

void FunctionTranslator::surface_load(const Instruction& in) {
  const Operand& to = in.operands[0];
  const std::size_t count = vector_length(in);
  const unsigned bits = in.type().bits;
  if ((to.kind == Operand::Kind::vector ? to.elements.size() : 1) != count || count * bits > 128)
    refuse(in, "the vector has another length");
  const Coordinates c = read_coordinates(in, in.operands[1], bits_type(32));
  const auto bytes = static_cast<std::uint32_t>(count * bits / 8);
  llvm::Value* loaded = call_runtime("clcuda_suld", channels_type(),
                                     {c.handle, c.layer, c.at[0], c.at[1], c.at[2], builder_.getInt32(bytes),
                                      builder_.getInt32(clamp_of(in))},
                                     false);
  llvm::Value* parts =
      builder_.CreateBitCast(loaded, llvm::FixedVectorType::get(builder_.getIntNTy(bits), 128 / bits));
  for (std::size_t i = 0; i < count; ++i) write(element(to, i), builder_.CreateExtractElement(parts, i));
}

void FunctionTranslator::surface_store(const Instruction& in) {
  const Operand& from = in.operands[1];
  const std::size_t count = vector_length(in);
  const unsigned bits = in.type().bits;
  if ((from.kind == Operand::Kind::vector ? from.elements.size() : 1) != count || count * bits > 128)
    refuse(in, "the vector has another length");
  const Coordinates c = read_coordinates(in, in.operands[0], bits_type(32));
  auto* type = llvm::FixedVectorType::get(builder_.getIntNTy(bits), 128 / bits);
  llvm::Value* parts = llvm::Constant::getNullValue(type);
  for (std::size_t i = 0; i < count; ++i)
    parts = builder_.CreateInsertElement(parts, read(in, element(from, i), in.type()), i);
  const auto bytes = static_cast<std::uint32_t>(count * bits / 8);
  call_runtime("clcuda_sust", builder_.getVoidTy(),
               {c.handle, c.layer, c.at[0], c.at[1], c.at[2], builder_.getInt32(bytes),
                builder_.getInt32(clamp_of(in)), builder_.CreateBitCast(parts, channels_type())},
               false);
}

void FunctionTranslator::surface_store_formatted(const Instruction& in) {
  const Operand& from = in.operands[1];
  const std::size_t count = vector_length(in);
  if ((from.kind == Operand::Kind::vector ? from.elements.size() : 1) != count)
    refuse(in, "the vector has another length");
  const Coordinates c = read_coordinates(in, in.operands[0], bits_type(32));
  llvm::Value* channels = llvm::Constant::getNullValue(channels_type());
  for (std::size_t i = 0; i < count; ++i)
    channels = builder_.CreateInsertElement(channels, read(in, element(from, i), bits_type(32)), i);
  call_runtime("clcuda_sust_formatted", builder_.getVoidTy(),
               {c.handle, c.layer, c.at[0], c.at[1], c.at[2], builder_.getInt32(clamp_of(in)), channels},
               false);
}

}  // namespace clcuda::ptx
