// SPDX-License-Identifier: Apache-2.0
// Linear filtering in full precision, for formats that the texture unit filters too coarsely: textures[…].order says so
// (CLCUDA_ORDER_FILTERED), and the texture object gives the nearest texel then.
#pragma once
#include "image.h"

float4 __clcuda_filter_1d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, float s);
float4 __clcuda_filter_2d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, float s,
                          float t);
float4 __clcuda_filter_3d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, float s,
                          float t, float u);
float4 __clcuda_filter_a1d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, uint layer,
                           float s);
float4 __clcuda_filter_a2d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture, uint layer,
                           float s, float t);

#define FILTER_image1d_t(i, s, t, c) __clcuda_filter_1d(i, s, t, c)
#define FILTER_image1d_array_t(i, s, t, c) __clcuda_filter_a1d(i, s, t, layer(c.y, t.last_layer), c.x)
#define FILTER_image2d_t(i, s, t, c) __clcuda_filter_2d(i, s, t, c.x, c.y)
#define FILTER_image2d_array_t(i, s, t, c) __clcuda_filter_a2d(i, s, t, layer(c.z, t.last_layer), c.x, c.y)
#define FILTER_image3d_t(i, s, t, c) __clcuda_filter_3d(i, s, t, c.x, c.y, c.z)

// What the fetch at `c` gave, in the channel order that kernels see, filtered where that is left to us.
#define FINISHED(type, image, sampler, texture, c, color)                                                   \
  (__builtin_expect((texture).order == CLCUDA_ORDER_RGBA, 1) || (texture).order == CLCUDA_ORDER_R           \
       ? arranged(color, (texture).order)                                                                   \
   : (texture).order & CLCUDA_ORDER_FILTERED                                                                \
       ? arranged(FILTER_##type(image, sampler, texture, c), (texture).order & (CLCUDA_ORDER_FILTERED - 1)) \
       : arranged(color, (texture).order))
