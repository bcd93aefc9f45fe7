// SPDX-License-Identifier: Apache-2.0
// Linear filtering (OpenCL C, section 8.2) between texels that the texture unit fetches: it keeps the addressing, since a neighbour's
// middle is a coordinate like any other. Not inlined: what is rarely needed must not make loops around read_imagef large.
#include "image_fetch.h"
#include "image_filter.h"

#define APART __attribute__((noinline))

// Along one axis the coordinates of two neighbours' middles, and the weight of the second.
struct neighbours {
  float first, second, weight;
};
static inline struct neighbours neighbours_of(float at, uint extent, ulong sampler) {
  const float size = sampler & CLCUDA_SAMPLER_NORMALIZED ? (float)extent : 1.0f;
  const float place = at * size - 0.5f, first = __nvvm_floor_f(place);
  struct neighbours found;
  found.first = (first + 0.5f) / size;
  found.second = (first + 1.5f) / size;
  found.weight = place - first;
  return found;
}
// The color of the texel there.
static inline float4 color_of(float4 fetched, uint order) {
  return order >> CLCUDA_ORDER_PACKED ? __clcuda_unpacked_fetch(fetched, order >> CLCUDA_ORDER_PACKED)
                                      : fetched;
}
#define AT(geometry, texture, ...) \
  color_of(fetch_##geometry##_float(texture.handle, __VA_ARGS__), texture.order)

static inline float4 between(float4 first, float4 second, float weight) {
  return first * (1.0f - weight) + second * weight;
}

APART float4 __clcuda_filter_1d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture,
                                float s) {
  const struct neighbours x = neighbours_of(s, image->width, sampler);
  return between(AT(1d, texture, x.first), AT(1d, texture, x.second), x.weight);
}

APART float4 __clcuda_filter_a1d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture,
                                 uint layer, float s) {
  const struct neighbours x = neighbours_of(s, image->width, sampler);
  return between(AT(a1d, texture, layer, x.first), AT(a1d, texture, layer, x.second), x.weight);
}

APART float4 __clcuda_filter_2d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture,
                                float s, float t) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler);
  const float4 upper =
      between(AT(2d, texture, x.first, y.first), AT(2d, texture, x.second, y.first), x.weight);
  const float4 lower =
      between(AT(2d, texture, x.first, y.second), AT(2d, texture, x.second, y.second), x.weight);
  return between(upper, lower, y.weight);
}

APART float4 __clcuda_filter_a2d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture,
                                 uint layer, float s, float t) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler);
  const float4 upper = between(AT(a2d, texture, layer, x.first, y.first),
                               AT(a2d, texture, layer, x.second, y.first), x.weight);
  const float4 lower = between(AT(a2d, texture, layer, x.first, y.second),
                               AT(a2d, texture, layer, x.second, y.second), x.weight);
  return between(upper, lower, y.weight);
}

static inline float4 plane(struct clcuda_image_texture texture, struct neighbours x, struct neighbours y,
                           float u) {
  const float4 upper =
      between(AT(3d, texture, x.first, y.first, u), AT(3d, texture, x.second, y.first, u), x.weight);
  const float4 lower =
      between(AT(3d, texture, x.first, y.second, u), AT(3d, texture, x.second, y.second, u), x.weight);
  return between(upper, lower, y.weight);
}
APART float4 __clcuda_filter_3d(descriptor_t image, ulong sampler, struct clcuda_image_texture texture,
                                float s, float t, float u) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler),
                          z = neighbours_of(u, image->depth, sampler);
  return between(plane(texture, x, y, z.first), plane(texture, x, y, z.second), z.weight);
}
