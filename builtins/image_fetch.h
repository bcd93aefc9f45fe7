// SPDX-License-Identifier: Apache-2.0
// Texture fetches as PTX has them, for each geometry and result: fetch_<geometry>_<type>, at a level of detail with _level, with
// gradients _grad.
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
FETCHES(float, "f32", "f")
FETCHES(int, "s32", "r")
FETCHES(uint, "u32", "r")

// The same by kind of image, from the coordinates as OpenCL C gives them.
#define FETCH_image1d_t(E, t, c) fetch_1d_##E(t.handle, place(c))
#define FETCH_image1d_array_t(E, t, c) fetch_a1d_##E(t.handle, layer(c.y, t.last_layer), place(c.x))
#define FETCH_image2d_t(E, t, c) fetch_2d_##E(t.handle, place(c.x), place(c.y))
#define FETCH_image2d_array_t(E, t, c) \
  fetch_a2d_##E(t.handle, layer(c.z, t.last_layer), place(c.x), place(c.y))
#define FETCH_image3d_t(E, t, c) fetch_3d_##E(t.handle, place(c.x), place(c.y), place(c.z))
#define FETCH_image2d_depth_t(E, t, c) FETCH_image2d_t(E, t, c)
#define FETCH_image2d_array_depth_t(E, t, c) FETCH_image2d_array_t(E, t, c)
