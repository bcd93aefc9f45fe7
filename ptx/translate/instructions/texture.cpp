// SPDX-License-Identifier: Apache-2.0
// tex tld4 txq: calls of the runtime, which looks up the handle's texture and the function that reads it.
#include "ptx/abi/texel_query.h"
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

const Type kSingle{TypeKind::floating, 32};

TexelQuery query_of(const Instruction& in) {
  using enum TexelQuery;
  const std::pair<Modifier, TexelQuery> names[] = {{Modifier::width, width},
                                                   {Modifier::height, height},
                                                   {Modifier::depth, depth},
                                                   {Modifier::channel_data_type, channel_data_type},
                                                   {Modifier::channel_order, channel_order},
                                                   {Modifier::normalized_mode, normalized_mode},
                                                   {Modifier::array_size, array_size},
                                                   {Modifier::num_mipmap_levels, num_mipmap_levels}};
  for (const auto& [name, query] : names)
    if (in.has(name)) return query;
  return num_samples;
}

}  // namespace

llvm::FixedVectorType* FunctionTranslator::channels_type() {
  return llvm::FixedVectorType::get(builder_.getInt32Ty(), 4);
}

// Textures do not change while a kernel runs, so the call only reads memory. But an invalid handle ends the kernel.
llvm::Value* FunctionTranslator::call_texture(const char* name, llvm::Type* result,
                                              llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Value* value = call_runtime(name, result, arguments, false);
  llvm::cast<llvm::CallInst>(value)->setOnlyReadsMemory();
  return value;
}

// `[handle, {layer?, x, y?, z?}]`, where vectors of three may be written with a fourth element.
FunctionTranslator::Coordinates FunctionTranslator::read_coordinates(const Instruction& in,
                                                                     const Operand& operand, Type type) {
  const bool layered = in.has(Modifier::line_layers) || in.has(Modifier::plane_layers);
  const std::size_t dimensions = in.has(Modifier::volume)                                    ? 3
                                 : in.has(Modifier::plane) || in.has(Modifier::plane_layers) ? 2
                                                                                             : 1;
  const std::size_t needed = dimensions + layered;
  if (operand.elements.size() != needed && !(needed == 3 && operand.elements.size() == 4))
    refuse(in, "the coordinates have another length");
  Operand handle = operand;
  handle.address = false;
  handle.elements.clear();
  Coordinates made{read_bits(in, handle, 64), builder_.getInt32(0), {}};
  if (layered) made.layer = read(in, operand.elements[0], unsigned_type(32));
  for (std::size_t i = 0; i < 3; ++i)
    made.at[i] = i < dimensions ? read(in, operand.elements[i + layered], type)
                                : llvm::Constant::getNullValue(type_of(type));
  return made;
}

void FunctionTranslator::write_channels(const Instruction& in, llvm::Value* channels) {
  const Operand& to = in.operands[0];
  if (to.kind != Operand::Kind::vector || to.elements.size() != 4) refuse(in, "four destinations are wanted");
  for (std::size_t i = 0; i < 4; ++i) write(to.elements[i], builder_.CreateExtractElement(channels, i));
}

void FunctionTranslator::texture_fetch(const Instruction& in) {
  const Coordinates c = read_coordinates(in, in.operands[1], in.last_type());
  if (in.last_type().is_floating())
    return write_channels(
        in, call_texture("clcuda_tex", channels_type(), {c.handle, c.layer, c.at[0], c.at[1], c.at[2]}));
  write_channels(in, call_texture("clcuda_tex_element", channels_type(),
                                  {c.handle, c.layer, c.at[0], c.at[1], c.at[2], builder_.getInt32(0)}));
}

void FunctionTranslator::texture_fetch_level(const Instruction& in) {
  const Coordinates c = read_coordinates(in, in.operands[1], in.last_type());
  llvm::Value* level = read(in, 2, in.last_type());
  const char* name = in.last_type().is_floating() ? "clcuda_tex_level" : "clcuda_tex_element";
  write_channels(in,
                 call_texture(name, channels_type(), {c.handle, c.layer, c.at[0], c.at[1], c.at[2], level}));
}

void FunctionTranslator::texture_fetch_gradient(const Instruction& in) {
  const Coordinates c = read_coordinates(in, in.operands[1], kSingle);
  std::vector<llvm::Value*> arguments{c.handle, c.layer, c.at[0], c.at[1], c.at[2]};
  const std::size_t dimensions = in.has(Modifier::volume)                                    ? 3
                                 : in.has(Modifier::plane) || in.has(Modifier::plane_layers) ? 2
                                                                                             : 1;
  for (const std::size_t direction : {2, 3}) {
    const Operand& operand = in.operands[direction];
    const bool vector = operand.kind == Operand::Kind::vector;
    if ((vector ? operand.elements.size() : 1) < dimensions) refuse(in, "a gradient has another length");
    for (std::size_t i = 0; i < 3; ++i)
      arguments.push_back(i < dimensions ? read(in, vector ? operand.elements[i] : operand, kSingle)
                                         : llvm::Constant::getNullValue(builder_.getFloatTy()));
  }
  write_channels(in, call_texture("clcuda_tex_grad", channels_type(), arguments));
}

void FunctionTranslator::texture_gather(const Instruction& in) {
  const Coordinates c = read_coordinates(in, in.operands[1], kSingle);
  const unsigned channel = in.has(Modifier::alpha)   ? 3
                           : in.has(Modifier::blue)  ? 2
                           : in.has(Modifier::green) ? 1
                                                     : 0;
  write_channels(in, call_texture("clcuda_tld4", channels_type(),
                                  {c.handle, c.layer, c.at[0], c.at[1], builder_.getInt32(channel)}));
}

llvm::Value* FunctionTranslator::query_handle(const Instruction& in, const char* name) {
  Operand handle = in.operands[1];
  handle.address = false;
  return call_texture(
      name, builder_.getInt32Ty(),
      {read_bits(in, handle, 64), builder_.getInt32(static_cast<std::uint32_t>(query_of(in)))});
}

void FunctionTranslator::texture_query(const Instruction& in) {
  write(in, 0, query_handle(in, "clcuda_txq"));
}

void FunctionTranslator::surface_query(const Instruction& in) {
  write(in, 0, query_handle(in, "clcuda_suq"));
}

}  // namespace clcuda::ptx
