// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/image_format.h"

#include <algorithm>
#include <iterator>

namespace clcuda {
namespace {

// Sets of channel types.
enum Types : unsigned { normalized8 = 1, normalized16 = 2, integers8 = 4, wider_integers = 8, floats = 16 };

// Channel orders: their channels in memory, the types that they may have (section 5.3.1.1, table of orders; depth has two of its own),
// and the digits of CLCUDA_ORDER_… for reading and writing.
struct Order {
  cl_channel_order name;
  unsigned channels;
  unsigned types;
  unsigned short read, write;
};
constexpr unsigned kAll = normalized8 | normalized16 | integers8 | wider_integers | floats;
constexpr unsigned kBytes = normalized8 | integers8;
constexpr unsigned kReals = normalized8 | normalized16 | floats;
constexpr Order kOrders[] = {
    {CL_R, 1, kAll, 0x5440, 0x0000},
    {CL_A, 1, kAll, 0x0444, 0x0003},
    {CL_RG, 2, kAll, 0x5410, 0x3210},
    {CL_RA, 2, kAll, 0x1440, 0x0030},
    {CL_RGBA, 4, kAll, 0x3210, 0x3210},
    {CL_BGRA, 4, kBytes, 0x3012, 0x3012},
    {CL_ARGB, 4, kBytes, 0x0321, 0x2103},
    {CL_ABGR, 4, kBytes, 0x0123, 0x0123},
    {CL_INTENSITY, 1, kReals, 0x0000, 0},
    {CL_LUMINANCE, 1, kReals, 0x5000, 0},
    {CL_DEPTH, 1, kReals, 0x5440, 0x0000},
    {CL_sRGBA, 4, normalized8, 0x3210, 0x3210},
    {CL_sBGRA, 4, normalized8, 0x3012, 0x3012},
};

struct Type {
  cl_channel_type name;
  unsigned set;
  std::size_t size;
  CUarray_format channel_format;
  bool integer;
};
constexpr Type kTypes[] = {
    {CL_SNORM_INT8, normalized8, 1, CU_AD_FORMAT_SIGNED_INT8, false},
    {CL_SNORM_INT16, normalized16, 2, CU_AD_FORMAT_SIGNED_INT16, false},
    {CL_UNORM_INT8, normalized8, 1, CU_AD_FORMAT_UNSIGNED_INT8, false},
    {CL_UNORM_INT16, normalized16, 2, CU_AD_FORMAT_UNSIGNED_INT16, false},
    {CL_SIGNED_INT8, integers8, 1, CU_AD_FORMAT_SIGNED_INT8, true},
    {CL_SIGNED_INT16, wider_integers, 2, CU_AD_FORMAT_SIGNED_INT16, true},
    {CL_SIGNED_INT32, wider_integers, 4, CU_AD_FORMAT_SIGNED_INT32, true},
    {CL_UNSIGNED_INT8, integers8, 1, CU_AD_FORMAT_UNSIGNED_INT8, true},
    {CL_UNSIGNED_INT16, wider_integers, 2, CU_AD_FORMAT_UNSIGNED_INT16, true},
    {CL_UNSIGNED_INT32, wider_integers, 4, CU_AD_FORMAT_UNSIGNED_INT32, true},
    {CL_HALF_FLOAT, floats, 2, CU_AD_FORMAT_HALF, false},
    {CL_FLOAT, floats, 4, CU_AD_FORMAT_FLOAT, false},
};

bool is_srgb(cl_channel_order order) { return order == CL_sRGBA || order == CL_sBGRA; }

// Section 5.3.1.1, the exceptions to the table: sRGB has no signed form, depth is of 16 bits or a float.
bool go_together(const Order& order, const Type& type) {
  if (is_srgb(order.name)) return type.name == CL_UNORM_INT8;
  if (order.name == CL_DEPTH) return type.name == CL_UNORM_INT16 || type.name == CL_FLOAT;
  return (order.types & type.set) != 0;
}

ImageFormat made_of(const Order& order, const Type& type) {
  ImageFormat format;
  format.name = {order.name, type.name};
  format.channel_format = type.channel_format;
  format.channels = order.channels;
  format.texel_size = order.channels * type.size;
  format.integer = type.integer;
  format.srgb = is_srgb(order.name);
  // Texture units have weights of eight bits: too few where values of both signs nearly cancel, and near black, where sRGB has fine steps.
  format.filtered_by_us = format.srgb || type.name == CL_SNORM_INT8 || type.name == CL_SNORM_INT16;
  unsigned char size_log2 = 0;
  while ((std::size_t{1} << size_log2) < format.texel_size) ++size_log2;
  format.texel = {size_log2,   static_cast<unsigned char>(type.name - CL_SNORM_INT8),
                  format.srgb, 0,
                  order.read,  order.write};
  return format;
}

// Packed formats: channels are bit fields of one number (section 5.3.1.1, at the end). Textures return the number or its bytes.
struct Packed {
  cl_image_format name;
  CUarray_format channel_format;
  unsigned channels;  // of the array
  std::size_t texel_size;
};
constexpr Packed kPacked[] = {
    {{CL_RGB, CL_UNORM_SHORT_565}, CU_AD_FORMAT_UNSIGNED_INT16, 1, 2},
    {{CL_RGB, CL_UNORM_SHORT_555}, CU_AD_FORMAT_UNSIGNED_INT16, 1, 2},
    {{CL_RGB, CL_UNORM_INT_101010}, CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
    {{CL_RGBA, CL_UNORM_INT_101010_2}, CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
    {{CL_ABGR, kUnormInt2101010}, CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
};

ImageFormat made_of(const Packed& packed) {
  ImageFormat format;
  format.name = packed.name;
  format.channel_format = packed.channel_format;
  format.channels = packed.channels;
  format.texel_size = packed.texel_size;
  format.filtered_by_us = true;
  format.texel = {static_cast<unsigned char>(packed.texel_size / 2),
                  static_cast<unsigned char>(packed.name.image_channel_data_type - CL_SNORM_INT8),
                  0,
                  0,
                  CLCUDA_ORDER_RGBA,
                  CLCUDA_ORDER_RGBA};
  return format;
}

bool same(const cl_image_format& a, const cl_image_format& b) {
  return a.image_channel_order == b.image_channel_order &&
         a.image_channel_data_type == b.image_channel_data_type;
}

}  // namespace

std::optional<ImageFormat> find_format(const cl_image_format& name) {
  for (const Packed& packed : kPacked)
    if (same(packed.name, name)) return made_of(packed);
  const auto order = std::ranges::find(kOrders, name.image_channel_order, &Order::name);
  const auto type = std::ranges::find(kTypes, name.image_channel_data_type, &Type::name);
  if (order == std::end(kOrders) || type == std::end(kTypes) || !go_together(*order, *type))
    return std::nullopt;
  return made_of(*order, *type);
}

bool is_valid_format(const cl_image_format& name) {
  if (find_format(name)) return true;
  const cl_channel_order order = name.image_channel_order;
  const cl_channel_type type = name.image_channel_data_type;
  const bool known_type = std::ranges::find(kTypes, type, &Type::name) != std::end(kTypes);
  // Orders with an ignored channel are not offered: their texels are opaque, their border is transparent (OpenCL C, border colour), and a
  // texture object cannot have both.
  switch (order) {
    case CL_Rx:
    case CL_RGx:
      return known_type;
    case CL_RGBx:
      return is_valid_format({CL_RGB, type});
    case CL_sRGB:
    case CL_sRGBx:
      return type == CL_UNORM_INT8;
    case CL_DEPTH_STENCIL:
      return type == CL_UNORM_INT24 || type == CL_FLOAT;
    default:
      return false;
  }
}

bool supports(const ImageFormat& format, cl_mem_flags flags, cl_mem_object_type type) {
  const bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  if (format.is_depth() && !flat) return false;
  // Texture units convert sRGB when they sample; they do not sample 1D images in buffers, nor images that a kernel both reads and writes.
  if (format.srgb && (type == CL_MEM_OBJECT_IMAGE1D_BUFFER || (flags & CL_MEM_KERNEL_READ_AND_WRITE)))
    return false;
  return true;
}

std::vector<cl_image_format> supported_formats(cl_mem_flags flags, cl_mem_object_type type) {
  std::vector<cl_image_format> names;
  for (const Order& order : kOrders)
    for (const Type& each : kTypes)
      if (go_together(order, each) && supports(made_of(order, each), flags, type))
        names.push_back({order.name, each.name});
  for (const Packed& packed : kPacked) names.push_back(packed.name);
  return names;
}

}  // namespace clcuda
