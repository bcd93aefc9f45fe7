// SPDX-License-Identifier: Apache-2.0
// read_image without a sampler (OpenCL C 6.15.15.3): read-only images are read through the texture; read-write images, where writes of the
// kernel must be visible, and buffers as bytes.
#include "image_fetch.h"
#include "image_format.h"
#include "image_texel.h"

// Outside the image the result is unspecified, so any addressing mode will do.
#define READ_ONLY(type, suffix, E)                                                                      \
  E##4 OVERLOAD read_image##suffix(read_only type image, COORDINATES_##type(int) coordinates) {         \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), CLCUDA_SAMPLER_NONE);  \
    return arranged(fetch_texel_##E(image, texture, CLCUDA_SAMPLER_CLAMP, coordinates), texture.order); \
  }
#define READ_ONLY_DEPTH(type, suffix)                                                                  \
  float OVERLOAD read_imagef(read_only type image, COORDINATES_##type(int) coordinates) {              \
    const struct clcuda_image_texture texture = texture_of(descriptor_of(image), CLCUDA_SAMPLER_NONE); \
    return fetch_texel_float(image, texture, CLCUDA_SAMPLER_CLAMP, coordinates).x;                     \
  }
FOR_SAMPLED_IMAGES(READ_ONLY, f, float)
FOR_SAMPLED_IMAGES(READ_ONLY, i, int)
FOR_SAMPLED_IMAGES(READ_ONLY, ui, uint)
FOR_DEPTH_IMAGES(READ_ONLY_DEPTH, )

#define READ_BYTES(type, access, suffix, E)                                                  \
  E##4 OVERLOAD read_image##suffix(access type image, COORDINATES_##type(int) coordinates) { \
    const descriptor_t descriptor = descriptor_of(image);                                    \
    const struct texel_access how = access_of(descriptor);                                   \
    return decoded_##E(texel_##type(descriptor, how, coordinates), how.format);              \
  }
#define READ_BYTES_DEPTH(type, access)                                                                    \
  float OVERLOAD read_imagef(access type image, COORDINATES_##type(int) coordinates) {                    \
    const descriptor_t descriptor = descriptor_of(image);                                                 \
    const struct texel_access how = access_of(descriptor);                                                \
    return floats_of(split(texel_##type(descriptor, how, coordinates), bits_of(how.format.channel_type)), \
                     how.format.channel_type)                                                             \
        .x;                                                                                               \
  }
#define READ_BYTES_EACH(type, access) \
  READ_BYTES(type, access, f, float)  \
  READ_BYTES(type, access, i, int)    \
  READ_BYTES(type, access, ui, uint)
FOR_SAMPLED_IMAGES(READ_BYTES_EACH, read_write)
FOR_DEPTH_IMAGES(READ_BYTES_DEPTH, read_write)
READ_BYTES_EACH(image1d_buffer_t, read_write)

// Texture units support buffers, but not all buffers and not all formats.
#define READ_BUFFER(suffix, E)                                                               \
  E##4 OVERLOAD read_image##suffix(read_only image1d_buffer_t image, int x) {                \
    const descriptor_t descriptor = descriptor_of(image);                                    \
    const struct clcuda_image_texture texture = texture_of(descriptor, CLCUDA_SAMPLER_NONE); \
    if (!(texture.order & CLCUDA_ORDER_IN_MEMORY))                                           \
      return arranged(fetch_1d_##E##_at(texture.handle, x), texture.order);                  \
    const struct texel_access how = access_of(descriptor);                                   \
    return decoded_##E(texel_image1d_buffer_t(descriptor, how, x), how.format);              \
  }
READ_BUFFER(f, float)
READ_BUFFER(i, int)
READ_BUFFER(ui, uint)

#define READ_HALF(type, access)                                                        \
  half4 OVERLOAD read_imageh(access type image, COORDINATES_##type(int) coordinates) { \
    return __builtin_convertvector(read_imagef(image, coordinates), half4);            \
  }
FOR_SAMPLED_IMAGES(READ_HALF, read_only)
FOR_SAMPLED_IMAGES(READ_HALF, read_write)
READ_HALF(image1d_buffer_t, read_only)
READ_HALF(image1d_buffer_t, read_write)
