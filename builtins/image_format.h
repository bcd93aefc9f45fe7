// SPDX-License-Identifier: Apache-2.0
// Between a texel's bytes and its four components, as OpenCL's section 8.3 has it.
#pragma once
#include "image.h"

// cl_channel_type - CL_SNORM_INT8.
enum channel_type {
  snorm_int8 = 0x0,
  snorm_int16 = 0x1,
  unorm_int8 = 0x2,
  unorm_int16 = 0x3,
  signed_int8 = 0x7,
  signed_int16 = 0x8,
  signed_int32 = 0x9,
  unsigned_int8 = 0xa,
  unsigned_int16 = 0xb,
  unsigned_int32 = 0xc,
  half_float = 0xd,
  float_ = 0xe,
};
static inline uint bits_of(uint type) {
  const bool narrow =
      type == snorm_int8 || type == unorm_int8 || type == signed_int8 || type == unsigned_int8;
  const bool wide = type == signed_int32 || type == unsigned_int32 || type == float_;
  return narrow ? 8 : wide ? 32 : 16;
}

// The channels apart, each in the low bits of its element, or together again.
static inline uint4 split(uint4 texel, uint bits) {
  if (bits == 8) return (uint4)(texel.x & 0xff, texel.x >> 8 & 0xff, texel.x >> 16 & 0xff, texel.x >> 24);
  if (bits == 16) return (uint4)(texel.x & 0xffff, texel.x >> 16, texel.y & 0xffff, texel.y >> 16);
  return texel;
}
static inline uint4 joined(uint4 c, uint bits) {
  if (bits == 8)
    return (uint4)(__nvvm_prmt(__nvvm_prmt(c.x, c.y, 0x0040), __nvvm_prmt(c.z, c.w, 0x0040), 0x5410), 0, 0,
                   0);
  if (bits == 16) return (uint4)((c.x & 0xffff) | c.y << 16, (c.z & 0xffff) | c.w << 16, 0, 0);
  return c;
}

#define CONVERT(x, T) __builtin_convertvector(x, T##4)
// Products with the reciprocals miss a quotient by 1.25 ulp at most, of 1.5 (section 8.3.1.1), and give 1
// where it is that.
static inline float4 floats_of(uint4 bits, uint type) {
  switch (type) {
    case unorm_int8:
      return CONVERT(bits, float) * (1.0f / 255.0f);
    case unorm_int16:
      return CONVERT(bits, float) * (1.0f / 65535.0f);
    case snorm_int8:
      return __builtin_elementwise_max(CONVERT(CONVERT(bits, char), float) * (1.0f / 127.0f), (float4)-1.0f);
    case snorm_int16:
      return __builtin_elementwise_max(CONVERT(CONVERT(bits, short), float) * (1.0f / 32767.0f),
                                       (float4)-1.0f);
    case half_float:
      return CONVERT(__builtin_astype(CONVERT(bits, ushort), half4), float);
    default:
      return __builtin_astype(bits, float4);
  }
}

// Normalised numbers saturate (what is not a number becomes 0); the product is rounded, and then to the
// nearest integer (section 8.3.1). At 2 to the power of 23 a float's last bit is 1: the sum has the number in
// its low bits, for less than a conversion costs. The bits above are left to whoever joins the channels.
#define EACH(f, v, most) (uint4)(f(v.x, most), f(v.y, most), f(v.z, most), f(v.w, most))
static inline uint unorm_of(float value, float most) {
  return __builtin_astype(__nvvm_add_rn_f(__nvvm_mul_rn_f(__nvvm_saturate_f(value), most), 0x1p23f), uint);
}
static inline uint snorm_of(float value, float most) {
  value = value == value ? __nvvm_fmin_f(__nvvm_fmax_f(value, -1.0f), 1.0f) : 0.0f;
  return (uint)__nvvm_f2i_rn(value * most);
}
static inline uint4 bits_of_floats(float4 values, uint type) {
  switch (type) {
    case unorm_int8:
      return EACH(unorm_of, values, 255.0f);
    case unorm_int16:
      return EACH(unorm_of, values, 65535.0f);
    case snorm_int8:
      return EACH(snorm_of, values, 127.0f);
    case snorm_int16:
      return EACH(snorm_of, values, 32767.0f);
    case half_float:
      return CONVERT(__builtin_astype(CONVERT(values, half), ushort4), uint);
    default:
      return __builtin_astype(values, uint4);
  }
}
static inline float srgb_of(float linear) {
  if (!(linear > 0.0f)) return 0.0f;
  if (linear >= 1.0f) return 1.0f;
  if (linear < 0.0031308f) return 12.92f * linear;
  return 1.055f * __nvvm_ex2_approx_f(__nvvm_lg2_approx_f(linear) * (1.0f / 2.4f)) - 0.055f;
}

static inline float4 decoded_float(uint4 texel, struct clcuda_texel_format format) {
  if (is_packed(format.channel_type)) return unpacked(texel.x, format.channel_type);
  return arranged(floats_of(split(texel, bits_of(format.channel_type)), format.channel_type),
                  format.read_order);
}
static inline uint4 decoded_uint(uint4 texel, struct clcuda_texel_format format) {
  return arranged(split(texel, bits_of(format.channel_type)), format.read_order);
}
static inline int4 decoded_int(uint4 texel, struct clcuda_texel_format format) {
  uint4 channels = split(texel, bits_of(format.channel_type));
  if (format.channel_type == signed_int8) channels = CONVERT(CONVERT(channels, char), uint);
  if (format.channel_type == signed_int16) channels = CONVERT(CONVERT(channels, short), uint);
  return __builtin_astype(arranged(channels, format.read_order), int4);
}

static inline uint4 encoded(float4 color, struct clcuda_texel_format format) {
  if (is_packed(format.channel_type)) return (uint4)(packed(color, format.channel_type), 0, 0, 0);
  if (format.srgb) color.xyz = (float3)(srgb_of(color.x), srgb_of(color.y), srgb_of(color.z));
  const uint4 bits = bits_of_floats(arranged(color, format.write_order), format.channel_type);
  return joined(bits, bits_of(format.channel_type));
}
// Integers saturate.
static inline uint4 OVERLOAD encoded_integer(uint4 color, struct clcuda_texel_format format) {
  uint4 channels = arranged(color, format.write_order);
  const uint bits = bits_of(format.channel_type);
  if (bits < 32) channels = __builtin_elementwise_min(channels, (uint4)((1u << bits) - 1));
  return joined(channels, bits);
}
static inline uint4 OVERLOAD encoded_integer(int4 color, struct clcuda_texel_format format) {
  int4 channels = arranged(color, format.write_order);
  const uint bits = bits_of(format.channel_type);
  if (bits < 32) {
    const int most = (1 << (bits - 1)) - 1;
    channels = __builtin_elementwise_min(__builtin_elementwise_max(channels, (int4)(-most - 1)), (int4)most);
  }
  return joined(__builtin_astype(channels, uint4), bits);
}
// Integers with a sign if the format has one, whatever the program thinks: SPIR-V need not say.
static inline uint4 encoded_either(uint4 color, struct clcuda_texel_format format) {
  uint4 channels = arranged(color, format.write_order);
  const uint bits = bits_of(format.channel_type);
  if (format.channel_type == signed_int8 || format.channel_type == signed_int16) {
    const int4 most = (1 << (bits - 1)) - 1;
    const int4 numbers = __builtin_astype(channels, int4);
    channels = __builtin_astype(
        __builtin_elementwise_min(__builtin_elementwise_max(numbers, -most - 1), most), uint4);
  } else if (bits < 32) {
    channels = __builtin_elementwise_min(channels, (uint4)((1u << bits) - 1));
  }
  return joined(channels, bits);
}
