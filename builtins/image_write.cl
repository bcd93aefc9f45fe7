// SPDX-License-Identifier: Apache-2.0
// write_image (OpenCL C 6.15.15.4).
#include "image_format.h"
#include "image_texel.h"

#define WRITE(type, access, suffix, T, encode)                                                         \
  void OVERLOAD write_image##suffix(access type image, COORDINATES_##type(int) coordinates, T color) { \
    const descriptor_t descriptor = descriptor_of(image);                                              \
    const struct texel_access how = access_of(descriptor);                                             \
    set_texel_##type(descriptor, how, coordinates, encode(color, how.format));                         \
  }
// Called by the SPIR-V reader for integers whose signedness the module does not specify.
#define WRITE_EITHER(type, access)                                                                          \
  void OVERLOAD __clcuda_write_image(access type image, COORDINATES_##type(int) coordinates, uint4 color) { \
    const descriptor_t descriptor = descriptor_of(image);                                                   \
    const struct texel_access how = access_of(descriptor);                                                  \
    set_texel_##type(descriptor, how, coordinates, encoded_either(color, how.format));                      \
  }
// CL_RGBA with CL_UNORM_INT8, the format of most images, without the tests that others need: the first bytes of its clcuda_texel_format,
// plain and not sRGB.
#define RGBA8 (2 | unorm_int8 << 8 | CLCUDA_SURFACE_PLAIN << 24)
#define WRITE_COLORS(type, access)                                                                   \
  void OVERLOAD write_imagef(access type image, COORDINATES_##type(int) coordinates, float4 color) { \
    const descriptor_t descriptor = descriptor_of(image);                                            \
    const struct texel_access how = access_of(descriptor);                                           \
    if (how.word == RGBA8)                                                                           \
      STORE_##type(how, 2, joined(bits_of_floats(color, unorm_int8), 8), coordinates);               \
    else                                                                                             \
      set_texel_##type(descriptor, how, coordinates, encoded(color, how.format));                    \
  }
#define WRITE_EACH(type, access)                                                                    \
  WRITE_COLORS(type, access)                                                                        \
  WRITE(type, access, i, int4, encoded_integer)                                                     \
  WRITE(type, access, ui, uint4, encoded_integer)                                                   \
  WRITE_EITHER(type, access)                                                                        \
  void OVERLOAD write_imageh(access type image, COORDINATES_##type(int) coordinates, half4 color) { \
    write_imagef(image, coordinates, __builtin_convertvector(color, float4));                       \
  }
#define WRITE_DEPTH(type, access)                                                                   \
  void OVERLOAD write_imagef(access type image, COORDINATES_##type(int) coordinates, float depth) { \
    const descriptor_t descriptor = descriptor_of(image);                                           \
    const struct texel_access how = access_of(descriptor);                                          \
    set_texel_##type(descriptor, how, coordinates,                                                  \
                     bits_of_floats((float4)(depth, 0, 0, 0), how.format.channel_type));            \
  }
FOR_SAMPLED_IMAGES(WRITE_EACH, write_only)
FOR_SAMPLED_IMAGES(WRITE_EACH, read_write)
WRITE_EACH(image1d_buffer_t, write_only)
WRITE_EACH(image1d_buffer_t, read_write)
FOR_DEPTH_IMAGES(WRITE_DEPTH, write_only)
FOR_DEPTH_IMAGES(WRITE_DEPTH, read_write)
