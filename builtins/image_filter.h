// SPDX-License-Identifier: Apache-2.0
// Linear filtering in full precision (OpenCL C, section 8.2), for formats that the texture unit filters too coarsely or cannot read:
// textures[…].order says so (CLCUDA_ORDER_FILTERED), and the texture object gives the nearest texel then. It keeps the addressing, since a
// neighbour's middle is a coordinate like any other. Of a mipmap, the texture object gives texels of one level, and two levels are joined
// here. A loop and inlined, so that it costs other formats neither registers nor a call.
#pragma once
#include "image_fetch.h"

// Along one axis, the coordinates of two neighbours (without a linear filter of the place itself), and the weight of the second.
struct neighbours {
  float first, second, fraction;
};
static inline INLINED struct neighbours neighbours_of(float at, uint extent, ulong sampler) {
  if (!(sampler & CLCUDA_SAMPLER_LINEAR)) return (struct neighbours){at, at, 0.0f};
  float size = 1.0f;
  if (sampler & CLCUDA_SAMPLER_NORMALIZED) {
    size = (float)extent;
    if ((sampler & 3) == CLCUDA_SAMPLER_REPEAT) at -= __nvvm_floor_f(at);
    if ((sampler & 3) == CLCUDA_SAMPLER_MIRRORED_REPEAT)
      at = __nvvm_fabs_f(at - 2.0f * __nvvm_round_f(0.5f * at));
  }
  const float place = at * size - 0.5f, first = __nvvm_floor_f(place);
  // A division to the last bit would take more registers than all the rest; the middle of a texel may be missed a little.
  const float texel = __nvvm_rcp_approx_ftz_f(size);
  return (struct neighbours){(first + 0.5f) * texel, (first + 1.5f) * texel, place - first};
}
// One of them, whose weight is multiplied into `weight`.
static inline INLINED float neighbour(float at, uint extent, ulong sampler, bool second, float* weight) {
  if (!(sampler & CLCUDA_SAMPLER_LINEAR)) return at;
  const struct neighbours both = neighbours_of(at, extent, sampler);
  *weight *= second ? both.fraction : 1.0f - both.fraction;
  return second ? both.second : both.first;
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

static inline INLINED float4 plain_texel(float4 fetched, struct clcuda_image_texture texture) {
  const uint type = texture.order >> CLCUDA_ORDER_PACKED;
  return type ? unpacked_fetch(fetched, type) : fetched;
}

// Pairs of neighbours along the first axis, two fetches at a time. The pair's number is hidden from the compiler, which would otherwise
// keep in registers what is the same for several.
#define FILTER(name, parameters, pairs, levels, fetch, ...)                                                 \
  static inline INLINED float4 name(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, \
                                    parameters) {                                                           \
    const struct mip_levels chosen = levels;                                                                \
    float4 sum = 0.0f;                                                                                      \
    const uint count = sampler & CLCUDA_SAMPLER_LINEAR ? pairs : 1u;                                        \
    _Pragma("clang loop unroll(disable)") for (uint next = 0; next < chosen.count * count; ++next) {        \
      uint pair = next;                                                                                     \
      const bool of_second = chosen.count > 1 && next >= count;                                             \
      const uint level = chosen.first + (of_second ? 1 : 0);                                                \
      float weight = of_second ? chosen.second : 1.0f - chosen.second;                                      \
      __asm__ volatile("" : "+r"(pair), "+l"(image), "+l"(sampler));                                        \
      const struct neighbours along = neighbours_of(s, extent_of(image->width, level), sampler);            \
      __VA_ARGS__                                                                                           \
      float x = along.first;                                                                                \
      float4 first = fetch, second = first;                                                                 \
      x = along.second;                                                                                     \
      if (sampler & CLCUDA_SAMPLER_LINEAR) second = fetch;                                                  \
      const float of_pair = weight * along.fraction;                                                        \
      sum += (weight - of_pair) * plain_texel(first, texture);                                              \
      sum += of_pair * plain_texel(second, texture);                                                        \
    }                                                                                                       \
    return sum;                                                                                             \
  }
#define AXIS(name, at, extent, bit) \
  const float name = neighbour(at, extent_of(image->extent, level), sampler, pair & bit, &weight);
#define PARAMETERS_1 float s
#define PARAMETERS_2 float s, float t
#define PARAMETERS_3 float s, float t, float u
#define PARAMETERS_A1 uint layer, float s
#define PARAMETERS_A2 uint layer, float s, float t
FILTER(filter_1d, PARAMETERS_1, 1, FIRST_LEVEL, fetch_1d_float(texture.handle, x), )
FILTER(filter_a1d, PARAMETERS_A1, 1, FIRST_LEVEL, fetch_a1d_float(texture.handle, layer, x), )
FILTER(filter_2d, PARAMETERS_2, 2, FIRST_LEVEL, fetch_2d_float(texture.handle, x, y), AXIS(y, t, height, 1))
FILTER(filter_a2d, PARAMETERS_A2, 2, FIRST_LEVEL, fetch_a2d_float(texture.handle, layer, x, y),
       AXIS(y, t, height, 1))
FILTER(filter_3d, PARAMETERS_3, 4, FIRST_LEVEL, fetch_3d_float(texture.handle, x, y, z),
       AXIS(y, t, height, 1) AXIS(z, u, depth, 2))

#define FILTER_image1d_t(i, s, t, c) filter_1d(i, s, t, c)
#define FILTER_image1d_array_t(i, s, t, c) filter_a1d(i, s, t, layer(c.y, t.last_layer), c.x)
#define FILTER_image2d_t(i, s, t, c) filter_2d(i, s, t, c.x, c.y)
#define FILTER_image2d_array_t(i, s, t, c) filter_a2d(i, s, t, layer(c.z, t.last_layer), c.x, c.y)
#define FILTER_image3d_t(i, s, t, c) filter_3d(i, s, t, c.x, c.y, c.z)
#define FILTER_image2d_depth_t(i, s, t, c) FILTER_image2d_t(i, s, t, c)
#define FILTER_image2d_array_depth_t(i, s, t, c) FILTER_image2d_array_t(i, s, t, c)

// What the fetch gave, in the channel order that kernels see; or what `filtered` makes where filtering is left to us.
#define FINISHED(texture, color, filtered)                                                                \
  (__builtin_expect((texture).order == CLCUDA_ORDER_RGBA, 1)      ? (color)                               \
   : (texture).order == CLCUDA_ORDER_R                            ? (float4)((color).x, 0.0f, 0.0f, 1.0f) \
   : __builtin_expect((texture).order & CLCUDA_ORDER_FILTERED, 0) ? in_order(filtered, (texture).order)   \
                                                                  : in_order(color, (texture).order))
