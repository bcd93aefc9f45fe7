// SPDX-License-Identifier: Apache-2.0
// Linear filtering in full precision (OpenCL C, section 8.2), for formats that the texture unit filters too
// coarsely or cannot read: textures[…].order says so (CLCUDA_ORDER_FILTERED), and the texture object gives
// the nearest texel then. It keeps the addressing, since a neighbour's middle is a coordinate like any other.
// Of a mipmap, the texture object gives texels of one level, and two levels are joined here. A loop and
// inlined, so that it costs other formats neither registers nor a call.
#pragma once
#include "image_fetch.h"

// Along one axis, of two neighbours (of the place itself without a linear filter) the coordinate of one,
// whose weight is multiplied into `weight`.
static inline INLINED float neighbour(float at, uint extent, ulong sampler, bool second, float* weight) {
  if (!(sampler & CLCUDA_SAMPLER_LINEAR)) return at;
  const float place = in_texels(at, (float)extent, sampler, 0.5f), first = __nvvm_floor_f(place),
              fraction = place - first;
  *weight *= second ? fraction : 1.0f - fraction;
  // A division to the last bit would take more registers than all the rest; the middle of a texel may be
  // missed a little.
  const float scale = sampler & CLCUDA_SAMPLER_NORMALIZED ? __nvvm_rcp_approx_ftz_f((float)extent) : 1.0f;
  return (first + (second ? 1.5f : 0.5f)) * scale;
}

// The levels of a mipmap that a read looks at: one, or two and the second's weight.
struct mip_levels {
  uint first, count;
  float second;
};
#define FIRST_LEVEL ((struct mip_levels){0, 1, 0.0f})

static inline INLINED uint extent_of(uint extent, uint level) {
  return level ? __builtin_elementwise_max(extent >> level, 1u) : extent;
}

// The corner is hidden from the compiler, which would otherwise keep in registers what is the same for
// several.
#define FILTER(name, parameters, corners, levels, fetch, ...)                                               \
  static inline INLINED float4 name(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, \
                                    parameters) {                                                           \
    const struct mip_levels chosen = levels;                                                                \
    float4 sum = 0.0f;                                                                                      \
    const uint count = sampler & CLCUDA_SAMPLER_LINEAR ? corners : 1u;                                      \
    _Pragma("clang loop unroll(disable)") for (uint next = 0; next < chosen.count * count; ++next) {        \
      uint corner = next;                                                                                   \
      const bool of_second = chosen.count > 1 && next >= count;                                             \
      const uint level = chosen.first + (of_second ? 1 : 0);                                                \
      float weight = of_second ? chosen.second : 1.0f - chosen.second;                                      \
      __asm__ volatile("" : "+r"(corner), "+l"(image), "+l"(sampler));                                      \
      __VA_ARGS__                                                                                           \
      float4 color = fetch;                                                                                 \
      if (texture.order >> CLCUDA_ORDER_PACKED)                                                             \
        color = unpacked_fetch(color, texture.order >> CLCUDA_ORDER_PACKED);                                \
      sum += weight * color;                                                                                \
    }                                                                                                       \
    return sum;                                                                                             \
  }
#define AXIS(name, at, extent, bit) \
  const float name = neighbour(at, extent_of(image->extent, level), sampler, corner & bit, &weight);
#define PARAMETERS_1 float s
#define PARAMETERS_2 float s, float t
#define PARAMETERS_3 float s, float t, float u
#define PARAMETERS_A1 uint layer, float s
#define PARAMETERS_A2 uint layer, float s, float t
FILTER(filter_1d, PARAMETERS_1, 2, FIRST_LEVEL, fetch_1d_float(texture.handle, x), AXIS(x, s, width, 1))
FILTER(filter_a1d, PARAMETERS_A1, 2, FIRST_LEVEL, fetch_a1d_float(texture.handle, layer, x),
       AXIS(x, s, width, 1))
FILTER(filter_2d, PARAMETERS_2, 4, FIRST_LEVEL, fetch_2d_float(texture.handle, x, y),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2))
FILTER(filter_a2d, PARAMETERS_A2, 4, FIRST_LEVEL, fetch_a2d_float(texture.handle, layer, x, y),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2))
FILTER(filter_3d, PARAMETERS_3, 8, FIRST_LEVEL, fetch_3d_float(texture.handle, x, y, z),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2) AXIS(z, u, depth, 4))

// A volume that has more planes than an array has layers: two of them are read, each by the unit's filter.
static inline INLINED float4 filter_volume(descriptor_t image, ulong sampler,
                                           struct clcuda_image_texture texture, float4 at) {
  if (!(texture.order & CLCUDA_ORDER_BETWEEN_PLANES))
    return filter_3d(image, sampler, texture, at.x, at.y, at.z);
  float first = 1.0f, second = 1.0f;
  const float z = neighbour(at.z, image->depth, sampler, false, &first);
  const float next_z = neighbour(at.z, image->depth, sampler, true, &second);
  return first * fetch_3d_float(texture.handle, at.x, at.y, z) +
         second * fetch_3d_float(texture.handle, at.x, at.y, next_z);
}

#define FILTER_image1d_t(i, s, t, c) filter_1d(i, s, t, c)
#define FILTER_image1d_array_t(i, s, t, c) filter_a1d(i, s, t, layer(c.y, t.last_layer), c.x)
#define FILTER_image2d_t(i, s, t, c) filter_2d(i, s, t, c.x, c.y)
#define FILTER_image2d_array_t(i, s, t, c) filter_a2d(i, s, t, layer(c.z, t.last_layer), c.x, c.y)
#define FILTER_image3d_t(i, s, t, c) filter_volume(i, s, t, c)
#define FILTER_image2d_depth_t(i, s, t, c) FILTER_image2d_t(i, s, t, c)
#define FILTER_image2d_array_depth_t(i, s, t, c) FILTER_image2d_array_t(i, s, t, c)

// What the fetch gave, in the channel order that kernels see; or what `filtered` makes where filtering is
// left to us.
#define FINISHED(texture, color, filtered)                                                                \
  (__builtin_expect(is_plain((texture).order), 1)                 ? (color)                               \
   : ((texture).order & ~CLCUDA_ORDER_PLACE) == CLCUDA_ORDER_R    ? (float4)((color).x, 0.0f, 0.0f, 1.0f) \
   : __builtin_expect((texture).order & CLCUDA_ORDER_FILTERED, 0) ? in_order(filtered, (texture).order)   \
                                                                  : in_order(color, (texture).order))
