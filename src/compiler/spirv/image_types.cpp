// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/image_types.h"

#include <string_view>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

struct Row {
  Dim dim;
  bool is_array, is_depth;
  std::string_view read_only, write_only, read_write;
};

#define NAMES(length, name) #length "ocl_" #name "_ro", #length "ocl_" #name "_wo", #length "ocl_" #name "_rw"
constexpr Row kRows[] = {
    {Dim::Dim1D, false, false, NAMES(14, image1d)},
    {Dim::Dim1D, true, false, NAMES(20, image1d_array)},
    {Dim::Buffer, false, false, NAMES(21, image1d_buffer)},
    {Dim::Dim2D, false, false, NAMES(14, image2d)},
    {Dim::Dim2D, true, false, NAMES(20, image2d_array)},
    {Dim::Dim2D, false, true, NAMES(20, image2d_depth)},
    {Dim::Dim2D, true, true, NAMES(26, image2d_array_depth)},
    {Dim::Dim3D, false, false, NAMES(14, image3d)},
};
#undef NAMES

}  // namespace

BuiltinType image_type(const Type& image) {
  require(image.is(TypeKind::image), "an operand is not an image");
  require(!image.image.is_multisampled, "the device has no multisampled images");
  for (const Row& row : kRows) {
    if (row.dim != image.image.dim || row.is_array != image.image.is_array ||
        row.is_depth != image.image.is_depth)
      continue;
    switch (image.access.value_or(AccessQualifier::ReadOnly)) {
      case AccessQualifier::ReadOnly:
        return named(row.read_only);
      case AccessQualifier::WriteOnly:
        return named(row.write_only);
      case AccessQualifier::ReadWrite:
        return named(row.read_write);
    }
  }
  refuse("OpenCL has no such images");
}

unsigned dimensions_of(const ImageTraits& image) {
  return image.dim == Dim::Dim3D ? 3 : image.dim == Dim::Dim2D ? 2 : 1;
}

unsigned coordinates_of(const ImageTraits& image) { return dimensions_of(image) + (image.is_array ? 1 : 0); }

}  // namespace clcuda::compiler::spirv
