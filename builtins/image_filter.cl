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
static inline float4 between(float4 first, float4 second, float weight) {
  return first * (1.0f - weight) + second * weight;
}

APART float4 __clcuda_filter_1d(descriptor_t image, ulong sampler, ulong texture, float s) {
  const struct neighbours x = neighbours_of(s, image->width, sampler);
  return between(fetch_1d_float(texture, x.first), fetch_1d_float(texture, x.second), x.weight);
}

APART float4 __clcuda_filter_a1d(descriptor_t image, ulong sampler, ulong texture, uint layer, float s) {
  const struct neighbours x = neighbours_of(s, image->width, sampler);
  return between(fetch_a1d_float(texture, layer, x.first), fetch_a1d_float(texture, layer, x.second),
                 x.weight);
}

APART float4 __clcuda_filter_2d(descriptor_t image, ulong sampler, ulong texture, float s, float t) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler);
  const float4 upper = between(fetch_2d_float(texture, x.first, y.first),
                               fetch_2d_float(texture, x.second, y.first), x.weight);
  const float4 lower = between(fetch_2d_float(texture, x.first, y.second),
                               fetch_2d_float(texture, x.second, y.second), x.weight);
  return between(upper, lower, y.weight);
}

APART float4 __clcuda_filter_a2d(descriptor_t image, ulong sampler, ulong texture, uint layer, float s,
                                 float t) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler);
  const float4 upper = between(fetch_a2d_float(texture, layer, x.first, y.first),
                               fetch_a2d_float(texture, layer, x.second, y.first), x.weight);
  const float4 lower = between(fetch_a2d_float(texture, layer, x.first, y.second),
                               fetch_a2d_float(texture, layer, x.second, y.second), x.weight);
  return between(upper, lower, y.weight);
}

static inline float4 plane(ulong texture, struct neighbours x, struct neighbours y, float u) {
  const float4 upper = between(fetch_3d_float(texture, x.first, y.first, u),
                               fetch_3d_float(texture, x.second, y.first, u), x.weight);
  const float4 lower = between(fetch_3d_float(texture, x.first, y.second, u),
                               fetch_3d_float(texture, x.second, y.second, u), x.weight);
  return between(upper, lower, y.weight);
}
APART float4 __clcuda_filter_3d(descriptor_t image, ulong sampler, ulong texture, float s, float t, float u) {
  const struct neighbours x = neighbours_of(s, image->width, sampler),
                          y = neighbours_of(t, image->height, sampler),
                          z = neighbours_of(u, image->depth, sampler);
  return between(plane(texture, x, y, z.first), plane(texture, x, y, z.second), z.weight);
}
