// SPDX-License-Identifier: Apache-2.0
// write_image to a level of a mipmap (cl_khr_mipmap_image_writes): each level is a surface.
#include "image_format.h"
#include "image_texel.h"

static inline struct texel_access access_of_level(descriptor_t image, int level) {
  struct texel_access how = access_of(image);
  if (level) how.surface = (uint)level < image->level_count ? image->levels[level] : 0;
  return how;
}

#define WRITE(type, access, name, T, encode)                                                              \
  void OVERLOAD name(access type image, COORDINATES_##type(int) coordinates, int level, T color) {        \
    const descriptor_t descriptor = descriptor_of(image);                                                 \
    const struct texel_access how = access_of_level(descriptor, level);                                   \
    if (how.surface || !level) set_texel_##type(descriptor, how, coordinates, encode(color, how.format)); \
  }
#define WRITE_EACH(type, access)                             \
  WRITE(type, access, write_imagef, float4, encoded)         \
  WRITE(type, access, write_imagei, int4, encoded_integer)   \
  WRITE(type, access, write_imageui, uint4, encoded_integer) \
  WRITE(type, access, __clcuda_write_image, uint4, encoded_either)
#define WRITE_DEPTH(type, access)                                                                \
  void OVERLOAD write_imagef(access type image, COORDINATES_##type(int) coordinates, int level,  \
                             float depth) {                                                      \
    const descriptor_t descriptor = descriptor_of(image);                                        \
    const struct texel_access how = access_of_level(descriptor, level);                          \
    if (how.surface || !level)                                                                   \
      set_texel_##type(descriptor, how, coordinates,                                             \
                       joined(bits_of_floats((float4)(depth, 0, 0, 0), how.format.channel_type), \
                              bits_of(how.format.channel_type)));                                \
  }
FOR_SAMPLED_IMAGES(WRITE_EACH, write_only)
FOR_SAMPLED_IMAGES(WRITE_EACH, read_write)
FOR_DEPTH_IMAGES(WRITE_DEPTH, write_only)
FOR_DEPTH_IMAGES(WRITE_DEPTH, read_write)
