// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/type_name.h"

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {

std::string image_name(const ImageTraits& image) {
  std::string name = "image";
  switch (image.dim) {
    case Dim::Dim1D:
      name += "1d";
      break;
    case Dim::Dim2D:
      name += "2d";
      break;
    case Dim::Dim3D:
      name += "3d";
      break;
    case Dim::Buffer:
      name += "1d_buffer";
      break;
    default:
      refuse("kernels have no images of that dimension");
  }
  if (image.is_array) name += "_array";
  if (image.is_multisampled) name += "_msaa";
  if (image.is_depth) name += "_depth";
  return name;
}

namespace {

std::string number_name(const Type& type) {
  if (type.is(TypeKind::boolean)) return "bool";
  if (type.is(TypeKind::floating)) return type.width == 16 ? "half" : type.width == 32 ? "float" : "double";
  switch (type.width) {
    case 8:
      return "char";
    case 16:
      return "short";
    case 32:
      return "int";
    default:
      return "long";
  }
}

std::string structure_name(const Type& type) {
  const std::string& name = type.name;
  for (const char* prefix : {"struct.", "union.", "class."})
    if (name.starts_with(prefix)) return "struct " + name.substr(std::string_view(prefix).size());
  return "struct " + name;
}

// A structure may contain pointers to itself, so the depth is limited.
constexpr unsigned kDeepestName = 16;

std::string name_at(const Type& type, unsigned depth) {
  if (depth > kDeepestName) return "void";
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::floating:
      return number_name(type);
    case TypeKind::vector:
      return number_name(*type.element) + std::to_string(type.count);
    case TypeKind::structure:
      return structure_name(type);
    case TypeKind::pointer:
      return (type.element ? name_at(*type.element, depth + 1) : std::string("void")) + "*";
    case TypeKind::image:
      return image_name(type.image) + "_t";
    case TypeKind::sampler:
      return "sampler_t";
    case TypeKind::queue:
      return "queue_t";
    case TypeKind::event:
      return "event_t";
    case TypeKind::device_event:
      return "clk_event_t";
    case TypeKind::reserve_id:
      return "reserve_id_t";
    case TypeKind::pipe:
      return "pipe";
    case TypeKind::array:
      return name_at(*type.element, depth + 1) + "[" + std::to_string(type.count) + "]";
    default:
      return "void";
  }
}

}  // namespace

std::string type_name(const Type& type) { return name_at(type, 0); }

}  // namespace clcuda::compiler::spirv
