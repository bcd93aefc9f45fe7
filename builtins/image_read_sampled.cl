// SPDX-License-Identifier: Apache-2.0
// read_image with a sampler (OpenCL C 6.15.15.2): one fetch, through the texture object for the image and the sampler's state.
#include "image_fetch.h"
#include "image_filter.h"

// For a volume stored in layers, skips the tests for formats that are filtered in software.
#define RETURN_PLANES_image3d_t(texture, sampler, c)                    \
  do {                                                                  \
    if (!(texture.order & CLCUDA_ORDER_IN_LAYERS)) break;               \
    const float4 color = fetch_planes(texture, sampler, c.x, c.y, c.z); \
    return FINISHED(texture, color, color);                             \
  } while (0)
#define RETURN_PLANES_image1d_t(texture, sampler, c) (void)0
#define RETURN_PLANES_image1d_array_t(texture, sampler, c) (void)0
#define RETURN_PLANES_image2d_t(texture, sampler, c) (void)0
#define RETURN_PLANES_image2d_array_t(texture, sampler, c) (void)0

#define READ_FILTERED(type, ...)                                                                      \
  float4 OVERLOAD read_imagef(read_only type image, sampler_t sampler,                                \
                              COORDINATES_##type(float) coordinates) {                                \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler)); \
    RETURN_PLANES_##type(texture, number_of(sampler), coordinates);                                   \
    const float4 color = FETCH_##type(float, texture, number_of(sampler), coordinates);               \
    return FINISHED(texture, color,                                                                   \
                    FILTER_##type(descriptor_of(image), number_of(sampler), texture, coordinates));   \
  }
#define FETCHED_float(type, E, texture, sampler) FETCH_##type(E, texture, sampler, coordinates)
#define FETCHED_int(type, E, texture, sampler) fetch_texel_##E(image, texture, sampler, coordinates)
#define READ(type, suffix, E, T)                                                                      \
  E##4 OVERLOAD read_image##suffix(read_only type image, sampler_t sampler,                           \
                                   COORDINATES_##type(T) coordinates) {                               \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler)); \
    return arranged(FETCHED_##T(type, E, texture, number_of(sampler)), texture.order);                \
  }
#define READ_HALF(type, T)                                                                                 \
  half4 OVERLOAD read_imageh(read_only type image, sampler_t sampler, COORDINATES_##type(T) coordinates) { \
    return __builtin_convertvector(read_imagef(image, sampler, coordinates), half4);                       \
  }
#define READ_DEPTH_FILTERED(type, ...)                                                                \
  float OVERLOAD read_imagef(read_only type image, sampler_t sampler,                                 \
                             COORDINATES_##type(float) coordinates) {                                 \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler)); \
    const float depth = FETCH_##type(float, texture, number_of(sampler), coordinates).x;              \
    if (__builtin_expect(!(texture.order & CLCUDA_ORDER_FILTERED), 1)) return depth;                  \
    return FILTER_##type(descriptor_of(image), number_of(sampler), texture, coordinates).x;           \
  }
#define READ_DEPTH(type, ...)                                                                                \
  float OVERLOAD read_imagef(read_only type image, sampler_t sampler, COORDINATES_##type(int) coordinates) { \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), number_of(sampler));        \
    return fetch_texel_float(image, texture, number_of(sampler), coordinates).x;                             \
  }
FOR_SAMPLED_IMAGES(READ_FILTERED, )
FOR_SAMPLED_IMAGES(READ, f, float, int)
FOR_SAMPLED_IMAGES(READ, i, int, float)
FOR_SAMPLED_IMAGES(READ, i, int, int)
FOR_SAMPLED_IMAGES(READ, ui, uint, float)
FOR_SAMPLED_IMAGES(READ, ui, uint, int)
FOR_SAMPLED_IMAGES(READ_HALF, float)
FOR_SAMPLED_IMAGES(READ_HALF, int)
FOR_DEPTH_IMAGES(READ_DEPTH_FILTERED, )
FOR_DEPTH_IMAGES(READ_DEPTH, )
