// SPDX-License-Identifier: Apache-2.0
// Texture fetches as PTX has them, for each geometry and result: fetch_<geometry>_<type>, at a level of
// detail with _level, with gradients _grad.
#pragma once
#include "image.h"

#define FETCH(name, ptx, R, E, r, parameters, ...)                                     \
  static inline R name parameters {                                                    \
    E x, y, z, w;                                                                      \
    __asm__(ptx : "=" r(x), "=" r(y), "=" r(z), "=" r(w) : "l"(texture), __VA_ARGS__); \
    return (R)(x, y, z, w);                                                            \
  }
#define FETCHES(E, t, r)                                                                             \
  FETCH(fetch_1d_##E, "tex.1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%5}];", E##4, E, r,               \
        (ulong texture, float s), "f"(s))                                                            \
  FETCH(fetch_2d_##E, "tex.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", E##4, E, r,           \
        (ulong texture, float s, float t_), "f"(s), "f"(t_))                                         \
  FETCH(fetch_3d_##E, "tex.3d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", E##4, E, r,   \
        (ulong texture, float s, float t_, float u), "f"(s), "f"(t_), "f"(u))                        \
  FETCH(fetch_a1d_##E, "tex.a1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", E##4, E, r,         \
        (ulong texture, uint layer, float s), "r"(layer), "f"(s))                                    \
  FETCH(fetch_a2d_##E, "tex.a2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", E##4, E, r, \
        (ulong texture, uint layer, float s, float t_), "r"(layer), "f"(s), "f"(t_))
// By the texel's place. Outside of the image that gives 0, whatever the addressing of the texture.
#define FETCHES_AT(E, t, r)                                                                               \
  FETCH(fetch_1d_##E##_at, "tex.1d.v4." t ".s32 {%0, %1, %2, %3}, [%4, {%5}];", E##4, E, r,               \
        (ulong texture, int x_), "r"(x_))                                                                 \
  FETCH(fetch_2d_##E##_at, "tex.2d.v4." t ".s32 {%0, %1, %2, %3}, [%4, {%5, %6}];", E##4, E, r,           \
        (ulong texture, int x_, int y_), "r"(x_), "r"(y_))                                                \
  FETCH(fetch_3d_##E##_at, "tex.3d.v4." t ".s32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", E##4, E, r,   \
        (ulong texture, int x_, int y_, int z_), "r"(x_), "r"(y_), "r"(z_))                               \
  FETCH(fetch_a1d_##E##_at, "tex.a1d.v4." t ".s32 {%0, %1, %2, %3}, [%4, {%5, %6}];", E##4, E, r,         \
        (ulong texture, uint layer, int x_), "r"(layer), "r"(x_))                                         \
  FETCH(fetch_a2d_##E##_at, "tex.a2d.v4." t ".s32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", E##4, E, r, \
        (ulong texture, uint layer, int x_, int y_), "r"(layer), "r"(x_), "r"(y_))
FETCHES_AT(float, "f32", "f")
FETCHES_AT(int, "s32", "r")
FETCHES_AT(uint, "u32", "r")
FETCHES(float, "f32", "f")
FETCHES(int, "s32", "r")
FETCHES(uint, "u32", "r")

// A coordinate in texels, within the first image where the sampler repeats images, less as much as is said.
// The product is rounded (section 8.2 of the specification has it by itself): what lies in the middle of a
// texel has no part of its neighbours.
static inline INLINED float in_texels(float at, float size, ulong sampler, float less) {
  if (!(sampler & CLCUDA_SAMPLER_NORMALIZED)) return at - less;
  if ((sampler & 3) == CLCUDA_SAMPLER_REPEAT) at -= __nvvm_floor_f(at);
  if ((sampler & 3) == CLCUDA_SAMPLER_MIRRORED_REPEAT)
    at = __nvvm_fabs_f(at - 2.0f * __nvvm_round_f(0.5f * at));
  return __nvvm_mul_rn_f(at, size) - less;
}

// A plane of a volume that lies in the layers of an array. Outside of a volume with a border it is read
// beside its edge, where the border is as well; the unit itself goes no further than the last layer.
static inline INLINED float4 fetch_plane(struct clcuda_image_texture texture, ulong sampler, float x, float y,
                                         int plane) {
  const int last = (int)texture.planes - 1;
  if ((sampler & 3) == CLCUDA_SAMPLER_CLAMP && (uint)plane > (uint)last) x = -2.0f;
  if ((sampler & 3) == CLCUDA_SAMPLER_REPEAT) plane = plane < 0 ? last : plane > last ? 0 : plane;
  return fetch_a2d_float(texture.handle, (uint)__builtin_elementwise_max(plane, 0), x, y);
}

// A volume in layers, between which the library weighs: the unit's weights of four texels are finer than
// those of eight.
static inline INLINED float4 fetch_planes(struct clcuda_image_texture texture, ulong sampler, float x,
                                          float y, float z) {
  const float place = in_texels(z, (float)(int)texture.planes, sampler,
                                sampler & CLCUDA_SAMPLER_LINEAR ? 0.5f : 0.0f),
              floor = __nvvm_floor_f(place), weight = place - floor;
  const int plane = __nvvm_f2i_rz(floor);
  const float4 first = fetch_plane(texture, sampler, x, y, plane);
  if (!(sampler & CLCUDA_SAMPLER_LINEAR)) return first;
  const float4 second = fetch_plane(texture, sampler, x, y, plane + 1);
  return __builtin_elementwise_fma((float4)weight, second, (1.0f - weight) * first);
}
static inline INLINED float4 fetch_volume_float(struct clcuda_image_texture texture, ulong sampler, float x,
                                                float y, float z) {
  return texture.order & CLCUDA_ORDER_IN_LAYERS ? fetch_planes(texture, sampler, x, y, z)
                                                : fetch_3d_float(texture.handle, x, y, z);
}
#define fetch_volume_int(texture, sampler, x, y, z) fetch_3d_int((texture).handle, x, y, z)
#define fetch_volume_uint(texture, sampler, x, y, z) fetch_3d_uint((texture).handle, x, y, z)

// The same by kind of image, from the coordinates as OpenCL C gives them.
#define FETCH_image1d_t(E, t, s, c) fetch_1d_##E(t.handle, place(c))
#define FETCH_image1d_array_t(E, t, s, c) fetch_a1d_##E(t.handle, layer(c.y, t.last_layer), place(c.x))
#define FETCH_image2d_t(E, t, s, c) fetch_2d_##E(t.handle, place(c.x), place(c.y))
#define FETCH_image2d_array_t(E, t, s, c) \
  fetch_a2d_##E(t.handle, layer(c.z, t.last_layer), place(c.x), place(c.y))
#define FETCH_image3d_t(E, t, s, c) fetch_volume_##E(t, s, place(c.x), place(c.y), place(c.z))
#define FETCH_image2d_depth_t(E, t, s, c) FETCH_image2d_t(E, t, s, c)
#define FETCH_image2d_array_depth_t(E, t, s, c) FETCH_image2d_array_t(E, t, s, c)

// Reads at integer coordinates. By its place a texel is fetched at up to twice the rate of what lies around
// its middle, which takes two conversions as well; but one of eight bytes at three quarters of it. The unit
// knows no addressing then: coordinates are clamped here, which is worth it where the sampler is known. (In
// one dimension, instructions by place read buffers only.)
static inline INLINED int within(int x, int extent, ulong sampler) {
  if ((sampler & 3) == CLCUDA_SAMPLER_CLAMP) return x;
  return __builtin_elementwise_min(__builtin_elementwise_max(x, 0), extent - 1);
}
static inline INLINED bool reads_places(descriptor_t image, struct clcuda_image_texture texture,
                                        ulong sampler) {
  return is_read_known(image, sampler) && !(texture.order & (CLCUDA_ORDER_WIDE | CLCUDA_ORDER_IN_LAYERS));
}
#define AT_image1d_t(E, t, e, s, c) FETCH_image1d_t(E, t, s, c)
#define AT_image1d_array_t(E, t, e, s, c) \
  fetch_a1d_##E##_at(t.handle, layer(c.y, t.last_layer), within(c.x, e.width, s))
#define AT_image2d_t(E, t, e, s, c) \
  fetch_2d_##E##_at(t.handle, within(c.x, e.width, s), within(c.y, e.height, s))
#define AT_image2d_array_t(E, t, e, s, c) \
  fetch_a2d_##E##_at(t.handle, layer(c.z, t.last_layer), within(c.x, e.width, s), within(c.y, e.height, s))
#define AT_image3d_t(E, t, e, s, c) \
  fetch_3d_##E##_at(t.handle, within(c.x, e.width, s), within(c.y, e.height, s), within(c.z, e.depth, s))
#define AT_image2d_depth_t(E, t, e, s, c) AT_image2d_t(E, t, e, s, c)
#define AT_image2d_array_depth_t(E, t, e, s, c) AT_image2d_array_t(E, t, e, s, c)
#define FETCH_TEXELS(type, E)                                                                                \
  static inline INLINED E##4 OVERLOAD fetch_texel_##E(                                                       \
      read_only type image, struct clcuda_image_texture texture, ulong sampler, COORDINATES_##type(int) c) { \
    if (!reads_places(descriptor_of(image), texture, sampler)) return FETCH_##type(E, texture, sampler, c);  \
    return AT_##type(E, texture, extents_of(descriptor_of(image)), sampler, c);                              \
  }
#define FETCH_TEXELS_EACH(type, ...) \
  FETCH_TEXELS(type, float) FETCH_TEXELS(type, int) FETCH_TEXELS(type, uint)
FOR_SAMPLED_IMAGES(FETCH_TEXELS_EACH, )
FETCH_TEXELS(image2d_depth_t, float)
FETCH_TEXELS(image2d_array_depth_t, float)
