// SPDX-License-Identifier: Apache-2.0
// read_image at a level of detail, or with gradients (cl_khr_mipmap_image): one fetch at that level, within the sampler's bounds.
#include "image_filter.h"

#define FETCH_LEVEL(name, ptx, R, E, r, parameters, ...)                                           \
  static inline R name parameters {                                                                \
    E x, y, z, w;                                                                                  \
    __asm__(ptx : "=" r(x), "=" r(y), "=" r(z), "=" r(w) : "l"(texture), "f"(level), __VA_ARGS__); \
    return (R)(x, y, z, w);                                                                        \
  }
#define FETCH_LEVELS(E, t, r)                                                                                \
  FETCH_LEVEL(fetch_level_1d_##E, "tex.level.1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%6}], %5;", E##4, E, r, \
              (ulong texture, float level, float s), "f"(s))                                                 \
  FETCH_LEVEL(fetch_level_2d_##E, "tex.level.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%6, %7}], %5;", E##4,   \
              E, r, (ulong texture, float level, float s, float t_), "f"(s), "f"(t_))                        \
  FETCH_LEVEL(fetch_level_3d_##E, "tex.level.3d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%6, %7, %8, %8}], %5;", \
              E##4, E, r, (ulong texture, float level, float s, float t_, float u), "f"(s), "f"(t_), "f"(u)) \
  FETCH_LEVEL(fetch_level_a1d_##E, "tex.level.a1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%6, %7}], %5;", E##4, \
              E, r, (ulong texture, float level, uint layer, float s), "r"(layer), "f"(s))                   \
  FETCH_LEVEL(fetch_level_a2d_##E,                                                                           \
              "tex.level.a2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%6, %7, %8, %8}], %5;", E##4, E, r,        \
              (ulong texture, float level, uint layer, float s, float t_), "r"(layer), "f"(s), "f"(t_))
FETCH_LEVELS(float, "f32", "f")
FETCH_LEVELS(int, "s32", "r")
FETCH_LEVELS(uint, "u32", "r")

// A volume stored in layers is never a mipmap.
static inline float4 fetch_level_volume_float(struct clcuda_image_texture texture, ulong sampler, float level,
                                              float x, float y, float z) {
  if (texture.order & CLCUDA_ORDER_IN_LAYERS) return fetch_volume_float(texture, sampler, x, y, z);
  return fetch_level_3d_float(texture.handle, level, x, y, z);
}
#define fetch_level_volume_int(texture, sampler, ...) fetch_level_3d_int(texture.handle, __VA_ARGS__)
#define fetch_level_volume_uint(texture, sampler, ...) fetch_level_3d_uint(texture.handle, __VA_ARGS__)

#define FETCH_LEVEL_image1d_t(E, t, s, l, c) fetch_level_1d_##E(t.handle, l, c)
#define FETCH_LEVEL_image1d_array_t(E, t, s, l, c) \
  fetch_level_a1d_##E(t.handle, l, layer(c.y, t.last_layer), c.x)
#define FETCH_LEVEL_image2d_t(E, t, s, l, c) fetch_level_2d_##E(t.handle, l, c.x, c.y)
#define FETCH_LEVEL_image2d_array_t(E, t, s, l, c) \
  fetch_level_a2d_##E(t.handle, l, layer(c.z, t.last_layer), c.x, c.y)
#define FETCH_LEVEL_image3d_t(E, t, s, l, c) fetch_level_volume_##E(t, s, l, c.x, c.y, c.z)
#define FETCH_LEVEL_image2d_depth_t(E, t, s, l, c) FETCH_LEVEL_image2d_t(E, t, s, l, c)
#define FETCH_LEVEL_image2d_array_depth_t(E, t, s, l, c) FETCH_LEVEL_image2d_array_t(E, t, s, l, c)

// A sampler's bounds for the level are halves; all bits zero means from 0 to infinity.
static inline float bounded(float level, ulong sampler) {
  const float least = (float)__builtin_astype((ushort)(sampler >> CLCUDA_LOD_SHIFT), half);
  const float most =
      (float)__builtin_astype((ushort)((sampler >> (CLCUDA_LOD_SHIFT + 16)) ^ CLCUDA_LOD_INFINITY), half);
  return __nvvm_fmin_f(__nvvm_fmax_f(level, least), most);
}

// The levels that a sampler's mipmap filter reads.
static inline INLINED struct mip_levels levels_at(descriptor_t image, ulong sampler, float level) {
  const uint last = __builtin_elementwise_max(image->level_count, 1u) - 1;
  level = __nvvm_fmin_f(__nvvm_fmax_f(level, 0.0f), (float)last);
  if (!(sampler & CLCUDA_SAMPLER_MIP_LINEAR)) return (struct mip_levels){(uint)(level + 0.5f), 1, 0.0f};
  const uint first = (uint)level;
  return (struct mip_levels){first, first < last ? 2 : 1, level - (float)first};
}
#define AT_LEVEL_1 float at_level, PARAMETERS_1
#define AT_LEVEL_2 float at_level, PARAMETERS_2
#define AT_LEVEL_3 float at_level, PARAMETERS_3
#define AT_LEVEL_A1 float at_level, PARAMETERS_A1
#define AT_LEVEL_A2 float at_level, PARAMETERS_A2
#define LEVELS levels_at(image, sampler, at_level)
FILTER(filter_level_1d, AT_LEVEL_1, 2, LEVELS, fetch_level_1d_float(texture.handle, (float)level, x),
       AXIS(x, s, width, 1))
FILTER(filter_level_a1d, AT_LEVEL_A1, 2, LEVELS,
       fetch_level_a1d_float(texture.handle, (float)level, layer, x), AXIS(x, s, width, 1))
FILTER(filter_level_2d, AT_LEVEL_2, 4, LEVELS, fetch_level_2d_float(texture.handle, (float)level, x, y),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2))
FILTER(filter_level_a2d, AT_LEVEL_A2, 4, LEVELS,
       fetch_level_a2d_float(texture.handle, (float)level, layer, x, y),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2))
FILTER(filter_level_3d, AT_LEVEL_3, 8, LEVELS, fetch_level_3d_float(texture.handle, (float)level, x, y, z),
       AXIS(x, s, width, 1) AXIS(y, t, height, 2) AXIS(z, u, depth, 4))

#define FILTER_LEVEL_image1d_t(i, s, t, l, c) filter_level_1d(i, s, t, l, c)
#define FILTER_LEVEL_image1d_array_t(i, s, t, l, c) \
  filter_level_a1d(i, s, t, l, layer(c.y, t.last_layer), c.x)
#define FILTER_LEVEL_image2d_t(i, s, t, l, c) filter_level_2d(i, s, t, l, c.x, c.y)
#define FILTER_LEVEL_image2d_array_t(i, s, t, l, c) \
  filter_level_a2d(i, s, t, l, layer(c.z, t.last_layer), c.x, c.y)
#define FILTER_LEVEL_image3d_t(i, s, t, l, c) filter_level_3d(i, s, t, l, c.x, c.y, c.z)

// The level for these gradients: log2 of the larger step, in texels.
static inline float level_of(float dx_squared, float dy_squared) {
  return 0.5f * __nvvm_lg2_approx_f(__nvvm_fmax_f(dx_squared, dy_squared));
}
static inline float square(float x) { return x * x; }
static inline float OVERLOAD length_squared(descriptor_t image, float d) {
  return square(d * (float)image->width);
}
static inline float OVERLOAD length_squared(descriptor_t image, float2 d) {
  return square(d.x * (float)image->width) + square(d.y * (float)image->height);
}
static inline float OVERLOAD length_squared(descriptor_t image, float4 d) {
  return square(d.x * (float)image->width) + square(d.y * (float)image->height) +
         square(d.z * (float)image->depth);
}
#define GRADIENT_image1d_t float
#define GRADIENT_image1d_array_t float
#define GRADIENT_image2d_t float2
#define GRADIENT_image2d_array_t float2
#define GRADIENT_image3d_t float4
#define GRADIENT_image2d_depth_t float2
#define GRADIENT_image2d_array_depth_t float2

#define FINISHED_float(type, image, sampler, texture, level, c, color) \
  FINISHED(texture, color, FILTER_LEVEL_##type(image, sampler, texture, level, c))
#define FINISHED_int(type, image, sampler, texture, level, c, color) arranged(color, (texture).order)
#define FINISHED_uint(type, image, sampler, texture, level, c, color) arranged(color, (texture).order)
#define READ(type, suffix, E)                                                                                \
  E##4 OVERLOAD read_image##suffix(read_only type image, sampler_t sampler,                                  \
                                   COORDINATES_##type(float) coordinates, float level) {                     \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler));        \
    level = bounded(level, number_of(sampler));                                                              \
    const E##4 color = FETCH_LEVEL_##type(E, texture, number_of(sampler), level, coordinates);               \
    return FINISHED_##E(type, descriptor_of(image), number_of(sampler), texture, level, coordinates, color); \
  }                                                                                                          \
  E##4 OVERLOAD read_image##suffix(read_only type image, sampler_t sampler,                                  \
                                   COORDINATES_##type(float) coordinates, GRADIENT_##type dx,                \
                                   GRADIENT_##type dy) {                                                     \
    const descriptor_t descriptor = descriptor_of(image);                                                    \
    return read_image##suffix(image, sampler, coordinates,                                                   \
                              level_of(length_squared(descriptor, dx), length_squared(descriptor, dy)));     \
  }
#define READ_DEPTH(type, ...)                                                                                \
  float OVERLOAD read_imagef(read_only type image, sampler_t sampler, COORDINATES_##type(float) coordinates, \
                             float level) {                                                                  \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler));        \
    return FETCH_LEVEL_##type(float, texture, number_of(sampler), bounded(level, number_of(sampler)),        \
                              coordinates)                                                                   \
        .x;                                                                                                  \
  }                                                                                                          \
  float OVERLOAD read_imagef(read_only type image, sampler_t sampler, COORDINATES_##type(float) coordinates, \
                             GRADIENT_##type dx, GRADIENT_##type dy) {                                       \
    const descriptor_t descriptor = descriptor_of(image);                                                    \
    return read_imagef(image, sampler, coordinates,                                                          \
                       level_of(length_squared(descriptor, dx), length_squared(descriptor, dy)));            \
  }
FOR_SAMPLED_IMAGES(READ, f, float)
FOR_SAMPLED_IMAGES(READ, i, int)
FOR_SAMPLED_IMAGES(READ, ui, uint)
FOR_DEPTH_IMAGES(READ_DEPTH, )
