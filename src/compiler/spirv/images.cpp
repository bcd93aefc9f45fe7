// SPDX-License-Identifier: Apache-2.0
// Reads and writes of images.
#include <string>
#include <vector>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/image_operands.h"
#include "compiler/spirv/image_types.h"

namespace clcuda::compiler::spirv {
namespace {

// Converts a coordinate to the number of components that OpenCL C's functions take, which is four for three. Modules may give more
// components than needed.
llvm::Value* fitted(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned count) {
  const unsigned given = elements_of(value->getType()), wanted = count == 3 ? 4 : count;
  require(given >= count, "its coordinate has too few components");
  if (given == wanted) return value;
  if (wanted == 1) return builder.CreateExtractElement(value, std::uint64_t{0});
  llvm::Value* result = llvm::Constant::getNullValue(with_elements(value->getType(), wanted));
  for (unsigned i = 0; i < count; ++i)
    result = builder.CreateInsertElement(result, builder.CreateExtractElement(value, i), i);
  return result;
}

BuiltinArgument coordinate(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned count) {
  const llvm::Type* element = value->getType()->getScalarType();
  require(element->isIntegerTy(32) || element->isFloatTy(), "its coordinate is not of 32-bit numbers");
  return number(fitted(builder, value, count), Sign::with);
}

// The texel type of OpenCL C's function for the module's texel type: halves are read and written as floats.
struct Texel {
  llvm::Type* type = nullptr;
  std::string suffix;
};

Texel texel_of(llvm::IRBuilderBase& builder, llvm::Type* type, const ImageTraits& image, Sign sign) {
  const unsigned count = elements_of(type);
  require(count == 4 || (count == 1 && image.is_depth), "its texel is not of four components");
  llvm::Type* element = type->getScalarType();
  const unsigned own = image.is_depth ? 1 : 4;
  if (element->isIntegerTy(32)) return {with_elements(element, own), sign == Sign::with ? "i" : "ui"};
  require(element->isFloatTy() || element->isHalfTy(), "its texel is not of 32-bit or 16-bit numbers");
  return {with_elements(builder.getFloatTy(), own), "f"};
}

// Converts a texel that was read to the module's type.
llvm::Value* from_texel(llvm::IRBuilderBase& builder, llvm::Value* texel, llvm::Type* type) {
  if (elements_of(texel->getType()) < elements_of(type)) {
    llvm::Value* zeros = llvm::Constant::getNullValue(with_elements(texel->getType(), elements_of(type)));
    texel = builder.CreateInsertElement(zeros, texel, std::uint64_t{0});
  }
  return texel->getType() == type ? texel : builder.CreateFPTrunc(texel, type);
}

llvm::Value* to_texel(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Type* type) {
  if (elements_of(value->getType()) > elements_of(type))
    value = builder.CreateExtractElement(value, std::uint64_t{0});
  return value->getType() == type ? value : builder.CreateFPExt(value, type);
}

void read(FunctionReader& reader, const Instruction& in, const Type& image, llvm::Value* pointer,
          llvm::Value* sampler) {
  llvm::IRBuilderBase& builder = reader.builder();
  const ImageOperands operands = image_operands(reader, in, 2);
  const unsigned dimensions = dimensions_of(image.image);
  std::vector<BuiltinArgument> arguments = {{image_type(image), pointer}};
  if (sampler) arguments.push_back({kSamplerType, sampler});
  arguments.push_back(coordinate(builder, reader.value(in[1]), coordinates_of(image.image)));
  if (operands.level) arguments.push_back(number(operands.level, Sign::with));
  if (operands.gradient_x) {
    arguments.push_back(coordinate(builder, operands.gradient_x, dimensions));
    arguments.push_back(coordinate(builder, operands.gradient_y, dimensions));
  }
  // If no operand specifies the signedness, the image's format decides (read_imagei reads both).
  llvm::Type* type = reader.type(in.type()).value;
  const Texel texel = texel_of(builder, type, image.image, operands.sign.value_or(Sign::with));
  llvm::Value* value =
      call_builtin(builder, "read_image" + texel.suffix, texel.type, arguments, Effects::reads);
  reader.define(in, from_texel(builder, value, type));
}

void write(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  const Type& image = reader.type_of(in[0]);
  const ImageOperands operands = image_operands(reader, in, 3);
  require(!operands.gradient_x, "it has gradients");
  std::vector<BuiltinArgument> arguments = {{image_type(image), reader.value(in[0])}};
  arguments.push_back(coordinate(builder, reader.value(in[1]), coordinates_of(image.image)));
  if (operands.level) arguments.push_back({kSignedInt, to_integer(builder, operands.level, 32)});
  const Sign sign = operands.sign.value_or(Sign::without);
  llvm::Value* given = reader.value(in[2]);
  const Texel texel = texel_of(builder, given->getType(), image.image, sign);
  arguments.push_back({number_type(texel.type, sign), to_texel(builder, given, texel.type)});
  // If no operand specifies the signedness of integers, the image's format decides.
  const bool is_open = !operands.sign && texel.suffix == "ui";
  call_builtin(builder, is_open ? "__clcuda_write_image" : "write_image" + texel.suffix, builder.getVoidTy(),
               arguments);
}

}  // namespace

bool read_image(FunctionReader& reader, const Instruction& in) {
  llvm::IRBuilderBase& builder = reader.builder();
  switch (in.op()) {
    case Op::SampledImage: {
      const Type& type = reader.type(in.type());
      require(type.is(TypeKind::sampled_image), "its result is not a sampled image");
      require(&reader.type_of(in[0]) == type.element, "its image is of another type");
      require(reader.type_of(in[1]).is(TypeKind::sampler), "its sampler is none");
      llvm::Value* pair =
          builder.CreateInsertValue(llvm::PoisonValue::get(type.value), reader.value(in[0]), 0);
      reader.define(in, builder.CreateInsertValue(pair, reader.value(in[1]), 1));
      return true;
    }
    case Op::Image:
      require(reader.type_of(in[0]).is(TypeKind::sampled_image), "its operand is not a sampled image");
      reader.define(in, builder.CreateExtractValue(reader.value(in[0]), 0));
      return true;
    case Op::ImageSampleExplicitLod: {
      const Type& type = reader.type_of(in[0]);
      require(type.is(TypeKind::sampled_image), "its first operand is not a sampled image");
      llvm::Value* pair = reader.value(in[0]);
      read(reader, in, *type.element, builder.CreateExtractValue(pair, 0),
           builder.CreateExtractValue(pair, 1));
      return true;
    }
    case Op::ImageFetch:
    case Op::ImageRead:
      read(reader, in, reader.type_of(in[0]), reader.value(in[0]), nullptr);
      return true;
    case Op::ImageWrite:
      write(reader, in);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
