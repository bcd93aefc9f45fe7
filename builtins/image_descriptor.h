// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an image argument points to, in device memory: written by the runtime (C++), read by builtins/ (OpenCL
// C). And what a sampler is in a kernel: a number that chooses among an image's texture objects, because CUDA
// keeps filter and addressing in those.
#ifdef __OPENCL_VERSION__
typedef ulong clcuda_image_u64;
typedef uint clcuda_image_u32;
#else
#include <cstdint>
using clcuda_image_u64 = std::uint64_t;
using clcuda_image_u32 = std::uint32_t;
#endif

// A sampler's low half: CLCUDA_SAMPLER_… or'ed. The high half bounds the level of detail: two halves,
// CLCUDA_LOD_SHIFT and 16 above.
enum {
  CLCUDA_SAMPLER_CLAMP_TO_EDGE = 0,
  CLCUDA_SAMPLER_CLAMP = 1,
  CLCUDA_SAMPLER_REPEAT = 2,
  CLCUDA_SAMPLER_MIRRORED_REPEAT = 3,
  CLCUDA_SAMPLER_LINEAR = 1 << 2,
  CLCUDA_SAMPLER_NORMALIZED = 1 << 3,
  CLCUDA_SAMPLER_MIP_LINEAR = 1 << 4,
  CLCUDA_SAMPLER_STATES = 1 << 5,
  // Reads without a sampler. A sampler with integer coordinates differs from it in the addressing only.
  CLCUDA_SAMPLER_NONE = CLCUDA_SAMPLER_CLAMP_TO_EDGE,
  CLCUDA_LOD_SHIFT = 32,
  CLCUDA_LOD_INFINITY = 0x7c00,  // of the upper bound, whose bits are stored flipped by it
  CLCUDA_MAX_LEVELS = 16,
};

#ifndef __OPENCL_VERSION__
// CUDA repeats normalised coordinates only, and so does OpenCL.
constexpr std::uint32_t clcuda_sampler_number(std::uint32_t addressing, bool normalized, bool linear) {
  if (!normalized && addressing >= CLCUDA_SAMPLER_REPEAT) addressing = CLCUDA_SAMPLER_CLAMP_TO_EDGE;
  return addressing | (linear ? CLCUDA_SAMPLER_LINEAR : 0u) | (normalized ? CLCUDA_SAMPLER_NORMALIZED : 0u);
}
#endif

// Orders: four digits, the lowest for red (reading) or the first channel in memory (writing), each the number
// of the channel that goes there; 4 stands for 0, 5 for 1.
enum {
  CLCUDA_ORDER_RGBA = 0x3210,
  CLCUDA_ORDER_R = 0x5440,
  // With the order of a texture: builtins/ filter (image_filter.h), along the third axis only or along all; a
  // volume whose planes are the layers of an array; texels of eight bytes; an image in a buffer that texture
  // units do not read; from this bit on the type of packed texels (image_packed.h).
  CLCUDA_ORDER_FILTERED = 1 << 16,
  CLCUDA_ORDER_BETWEEN_PLANES = 1 << 17,
  CLCUDA_ORDER_IN_LAYERS = 1 << 18,
  CLCUDA_ORDER_WIDE = 1 << 19,
  CLCUDA_ORDER_IN_MEMORY = 1 << 20,
  CLCUDA_ORDER_PACKED = 21,
  // Of these, what is the same whichever way the channels are arranged.
  CLCUDA_ORDER_PLACE = CLCUDA_ORDER_IN_LAYERS | CLCUDA_ORDER_WIDE,
};
// Types (cl_channel_type - CL_SNORM_INT8) whose channels share a number: 565, 555, 101010, 101010_2,
// 2_101010.
enum { CLCUDA_PACKED_TYPES = 1 << 0x4 | 1 << 0x5 | 1 << 0x6 | 1 << 0x10 | 1 << 0x15 };

// Of a surface: channels that lie as RGBA; a volume whose planes are the layers of an array; none, as the
// image lies in a buffer.
enum { CLCUDA_SURFACE_PLAIN = 1 << 0, CLCUDA_SURFACE_LAYERS = 1 << 1, CLCUDA_SURFACE_NONE = 1 << 2 };

// A texel in memory: bytes as a power of two, the channels' type (cl_channel_type - CL_SNORM_INT8), whether
// it is sRGB, CLCUDA_SURFACE_… or'ed, the orders.
struct clcuda_texel_format {
  unsigned char size_log2, channel_type, srgb, surface;
  unsigned short read_order, write_order;
};

struct clcuda_image_texture {
  clcuda_image_u64 handle;
  clcuda_image_u32 order;  // of reading
  union {
    clcuda_image_u32 last_layer;  // of an array
    clcuda_image_u32 planes;      // of a volume, where they are layers of an array; 0 otherwise
  };
};

struct clcuda_image {
  clcuda_image_u64 surface;  // of the first level; 0 for an image in a buffer, which `data` points to
  struct clcuda_texel_format format;
  clcuda_image_u64 data, row_pitch, slice_pitch, unused;
  clcuda_image_u32 width, height, depth, array_size;
  clcuda_image_u32 channel_order, channel_type, level_count, sample_count;
  struct clcuda_image_texture textures[CLCUDA_SAMPLER_STATES];
  clcuda_image_u64 levels[CLCUDA_MAX_LEVELS];  // surfaces of the mipmap's levels
};
