// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/image_types.h"

namespace clcuda::compiler::spirv {
namespace {

llvm::Value* ask(FunctionReader& reader, const char* what, llvm::Type* result, std::uint32_t image) {
  return call_builtin(reader.builder(), what, result,
                      {{image_type(reader.type_of(image)), reader.value(image)}}, Effects::none);
}

// SPIR-V numbers formats and orders from 0, OpenCL C from `first`, its first constant.
bool read_kind(FunctionReader& reader, const Instruction& in, const char* what, std::uint32_t first) {
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Value* number = ask(reader, what, builder.getInt32Ty(), in[0]);
  reader.define(in, builder.CreateSub(number, builder.getInt32(first)));
  return true;
}

// The sizes of a mipmap level. The number of layers is the same at all levels.
std::vector<llvm::Value*> sizes(FunctionReader& reader, std::uint32_t image, llvm::Value* level) {
  llvm::IRBuilderBase& builder = reader.builder();
  const ImageTraits& traits = reader.type_of(image).image;
  std::vector<llvm::Value*> result;
  for (unsigned i = 0; i < dimensions_of(traits); ++i) {
    constexpr const char* kFunctions[] = {"get_image_width", "get_image_height", "get_image_depth"};
    llvm::Value* size = ask(reader, kFunctions[i], builder.getInt32Ty(), image);
    if (level) {
      // Shifts by more than 31 would be undefined.
      llvm::Value* steps = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, level, builder.getInt32(31));
      size = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, builder.CreateLShr(size, steps),
                                           builder.getInt32(1));
    }
    result.push_back(size);
  }
  if (traits.is_array) result.push_back(ask(reader, "get_image_array_size", builder.getInt64Ty(), image));
  return result;
}

bool read_size(FunctionReader& reader, const Instruction& in, llvm::Value* level) {
  llvm::IRBuilderBase& builder = reader.builder();
  image_type(reader.type_of(in[0]));  // refuses types that are not images
  llvm::Type* type = reader.type(in.type()).value;
  require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1), "its result is not of integers");
  if (const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(level);
      constant && constant->isNullValue())
    level = nullptr;
  if (level) level = to_integer(builder, level, 32);
  const auto parts = sizes(reader, in[0], level);
  require(elements_of(type) == parts.size(), "its result has not as many components as the image's size");
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    llvm::Value* part = builder.CreateZExtOrTrunc(parts[i], type->getScalarType());
    result = parts.size() == 1 ? part : builder.CreateInsertElement(result, part, i);
  }
  reader.define(in, result);
  return true;
}

}  // namespace

bool read_image_query(FunctionReader& reader, const Instruction& in) {
  switch (in.op()) {
    case Op::ImageQueryFormat:
      return read_kind(reader, in, "get_image_channel_data_type", 0x10D0);
    case Op::ImageQueryOrder:
      return read_kind(reader, in, "get_image_channel_order", 0x10B0);
    case Op::ImageQuerySize:
      return read_size(reader, in, nullptr);
    case Op::ImageQuerySizeLod:
      return read_size(reader, in, reader.value(in[1]));
    case Op::ImageQueryLevels:
      reader.define(in, ask(reader, "get_image_num_mip_levels", reader.builder().getInt32Ty(), in[0]));
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
