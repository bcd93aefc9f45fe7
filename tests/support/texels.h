// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Image formats (sections 5.3.1.1 and 8.3 of the specification): the bytes of a texel, and the values that a kernel reads from them.
namespace test {

// cl_ext_image_unorm_int_2_101010, which only recent headers define.
constexpr cl_channel_type kUnormInt2101010 = 0x10E5;

// A channel of a texel with a packed format.
struct Field {
  unsigned lowest_bit, bits;
};
struct Packed {
  cl_image_format format;
  std::size_t bytes;
  Field fields[4];  // red, green, blue, alpha; one of 0 bits reads 1, is not stored
};
inline constexpr Packed kPackedFormats[] = {
    {{CL_RGB, CL_UNORM_SHORT_565}, 2, {{11, 5}, {5, 6}, {0, 5}, {0, 0}}},
    {{CL_RGB, CL_UNORM_SHORT_555}, 2, {{10, 5}, {5, 5}, {0, 5}, {0, 0}}},
    {{CL_RGB, CL_UNORM_INT_101010}, 4, {{20, 10}, {10, 10}, {0, 10}, {0, 0}}},
    {{CL_RGBA, CL_UNORM_INT_101010_2}, 4, {{22, 10}, {12, 10}, {2, 10}, {0, 2}}},
    {{CL_ABGR, kUnormInt2101010}, 4, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}},
};
inline const Packed* packed_format(const cl_image_format& format) {
  for (const Packed& packed : kPackedFormats)
    if (packed.format.image_channel_data_type == format.image_channel_data_type) return &packed;
  return nullptr;
}
inline bool is_packed(const cl_image_format& format) { return packed_format(format) != nullptr; }

inline cl_uint most(const Field& field) { return (1u << field.bits) - 1; }
inline double value_of(const Field& field, cl_uint texel) {
  return field.bits ? (texel >> field.lowest_bit & most(field)) / static_cast<double>(most(field)) : 1.0;
}
// Clears the bits that belong to no channel.
inline cl_uint defined(const Packed& packed, cl_uint texel) {
  cl_uint mask = 0;
  for (const Field& field : packed.fields) mask |= most(field) << field.lowest_bit;
  return texel & mask;
}

// "f", "i" or "ui": the suffix of read_image for this type.
inline std::string suffix_of(cl_channel_type type) {
  switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
      return "i";
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
      return "ui";
    default:
      return "f";
  }
}

inline std::size_t channel_size(cl_channel_type type) {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 2;
  }
}

// The components that a kernel reads (section 5.3.1.1), each as the index of a channel in memory; 4 stands for 0, 5 for 1.
inline std::string order_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_DEPTH:
      return "0445";
    case CL_A:
      return "4440";
    case CL_RG:
      return "0145";
    case CL_RA:
      return "0441";
    case CL_BGRA:
    case CL_sBGRA:
      return "2103";
    case CL_ARGB:
      return "1230";
    case CL_ABGR:
      return "3210";
    case CL_INTENSITY:
      return "0000";
    case CL_LUMINANCE:
      return "0005";
    default:
      return "0123";
  }
}

inline std::size_t channels_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
      return 1;
    case CL_RG:
    case CL_RA:
      return 2;
    default:
      return 4;
  }
}

// The value of a channel that a kernel reads, a float or the bits of an integer.
inline double channel_value(const std::uint8_t* at, cl_channel_type type) {
  const auto load = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
    case CL_SNORM_INT8:
      return std::max(load(std::int8_t{}) / 127.0, -1.0);
    case CL_SNORM_INT16:
      return std::max(load(std::int16_t{}) / 32767.0, -1.0);
    case CL_UNORM_INT8:
      return load(std::uint8_t{}) / 255.0;
    case CL_UNORM_INT16:
      return load(std::uint16_t{}) / 65535.0;
    case CL_SIGNED_INT8:
      return load(std::int8_t{});
    case CL_SIGNED_INT16:
      return load(std::int16_t{});
    case CL_SIGNED_INT32:
      return load(std::int32_t{});
    case CL_UNSIGNED_INT8:
      return load(std::uint8_t{});
    case CL_UNSIGNED_INT16:
      return load(std::uint16_t{});
    case CL_UNSIGNED_INT32:
      return load(std::uint32_t{});
    case CL_HALF_FLOAT:
      return static_cast<double>(load(_Float16{}));
    default:
      return static_cast<double>(load(float{}));
  }
}

inline bool is_srgb(const cl_image_format& format) {
  return format.image_channel_order == CL_sRGBA || format.image_channel_order == CL_sBGRA;
}
inline std::size_t texel_size(const cl_image_format& format) {
  if (const Packed* packed = packed_format(format)) return packed->bytes;
  return channels_of(format.image_channel_order) * channel_size(format.image_channel_data_type);
}

// From linear to sRGB. The specification bounds the error of a read in sRGB values (OpenCL C, conversion rules for sRGBA images): half a
// step of the eight bits.
inline double srgb_of(double linear) {
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
inline double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

using Components = std::array<double, 4>;

// The values that a kernel reads from a texel; linear for sRGB formats.
inline Components color_of(const cl_image_format& format, const std::uint8_t* texel) {
  Components color{};
  if (const Packed* packed = packed_format(format)) {
    cl_uint number = 0;
    std::memcpy(&number, texel, packed->bytes);
    for (unsigned i = 0; i < 4; ++i) color[i] = value_of(packed->fields[i], number);
    return color;
  }
  const std::string order = order_of(format.image_channel_order);
  for (unsigned i = 0; i < 4; ++i) {
    if (order[i] >= '4') {
      color[i] = order[i] - '4';
      continue;
    }
    color[i] = channel_value(texel + (order[i] - '0') * channel_size(format.image_channel_data_type),
                             format.image_channel_data_type);
    if (is_srgb(format) && i < 3) color[i] = linear_of_srgb(color[i]);
  }
  return color;
}

// Alpha of the border colour (OpenCL C 6.15.15.1): 0 for channel orders with alpha (those with x included), otherwise 1.
inline double border_alpha(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_RG:
    case CL_RGB:
    case CL_LUMINANCE:
      return 1;
    default:
      return 0;
  }
}

}  // namespace test
