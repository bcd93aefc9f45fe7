// SPDX-License-Identifier: Apache-2.0
// Texels as they lie in memory, up to 16 bytes in a uint4, to and from surfaces (bounds are kept by the
// hardware) and buffers.
#pragma once
#include "image.h"

// What is needed to get at a texel: one cached load.
struct texel_access {
  ulong surface;
  struct clcuda_texel_format format;
  uint word;  // the format's first four bytes, to compare with
};
static inline struct texel_access access_of(descriptor_t image) {
  struct texel_access access;
  ulong format;
  __asm__("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(access.surface), "=l"(format) : "l"(&image->surface));
  format = known_format(image, format);
  access.word = (uint)format;
  access.format.size_log2 = (uchar)format;
  access.format.channel_type = (uchar)(format >> 8);
  access.format.srgb = (uchar)(format >> 16);
  access.format.read_order = (ushort)(format >> 32);
  access.format.write_order = (ushort)(format >> 48);
  return access;
}

// The address of a texel of an image in a buffer; null outside. A slice is a layer of an array, too.
static inline global uchar* in_buffer(descriptor_t image, uint size_log2, int x, int y, int slice) {
  const uint slices = __builtin_elementwise_max(image->depth, image->array_size);
  if ((uint)x >= image->width || (uint)y >= __builtin_elementwise_max(image->height, 1u) ||
      (uint)slice >= __builtin_elementwise_max(slices, 1u))
    return 0;
  return (global uchar*)image->data + (ulong)slice * image->slice_pitch + (ulong)y * image->row_pitch +
         ((ulong)x << size_log2);
}

static inline uint4 load_bytes(const global uchar* at, uint size_log2) {
  uint4 texel = 0;
  if (!at) return texel;
  if (size_log2 == 0)
    texel.x = *at;
  else if (size_log2 == 1)
    texel.x = *(const global ushort*)at;
  else if (size_log2 == 2)
    texel.x = *(const global uint*)at;
  else if (size_log2 == 3)
    texel.xy = *(const global uint2*)at;
  else
    texel = *(const global uint4*)at;
  return texel;
}
static inline void store_bytes(global uchar* at, uint size_log2, uint4 texel) {
  if (!at) return;
  if (size_log2 == 0)
    *at = (uchar)texel.x;
  else if (size_log2 == 1)
    *(global ushort*)at = (ushort)texel.x;
  else if (size_log2 == 2)
    *(global uint*)at = texel.x;
  else if (size_log2 == 3)
    *(global uint2*)at = texel.xy;
  else
    *(global uint4*)at = texel;
}

// load_<geometry> and store_<geometry>; `at` is the text of the coordinates, x in bytes.
#define SURFACE(geometry, at, parameters, ...)                                                               \
  static inline uint4 load_##geometry(ulong surface, uint size_log2, parameters) {                           \
    uint a = 0, b = 0, c = 0, d = 0;                                                                         \
    ushort narrow = 0;                                                                                       \
    x <<= size_log2;                                                                                         \
    if (size_log2 == 2)                                                                                      \
      __asm__ volatile("suld.b." #geometry ".b32.zero {%0}, [%[s], " at "];"                                 \
                       : "=r"(a)                                                                             \
                       : [s] "l"(surface), __VA_ARGS__);                                                     \
    else if (size_log2 == 4)                                                                                 \
      __asm__ volatile("suld.b." #geometry ".v4.b32.zero {%0, %1, %2, %3}, [%[s], " at "];"                  \
                       : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                                  \
                       : [s] "l"(surface), __VA_ARGS__);                                                     \
    else if (size_log2 == 3)                                                                                 \
      __asm__ volatile("suld.b." #geometry ".v2.b32.zero {%0, %1}, [%[s], " at "];"                          \
                       : "=r"(a), "=r"(b)                                                                    \
                       : [s] "l"(surface), __VA_ARGS__);                                                     \
    else if (size_log2 == 1)                                                                                 \
      __asm__ volatile("suld.b." #geometry ".b16.zero {%0}, [%[s], " at "];"                                 \
                       : "=h"(narrow)                                                                        \
                       : [s] "l"(surface), __VA_ARGS__);                                                     \
    else                                                                                                     \
      __asm__ volatile("suld.b." #geometry ".b8.zero {%0}, [%[s], " at "];"                                  \
                       : "=h"(narrow)                                                                        \
                       : [s] "l"(surface), __VA_ARGS__);                                                     \
    return (uint4)(a | narrow, b, c, d);                                                                     \
  }                                                                                                          \
  static inline void store_##geometry(ulong surface, uint size_log2, uint4 texel, parameters) {              \
    x <<= size_log2;                                                                                         \
    if (size_log2 == 2)                                                                                      \
      __asm__ volatile(                                                                                      \
          "sust.b." #geometry ".b32.zero [%[s], " at "], {%[a]};" ::[s] "l"(surface), [a] "r"(texel.x),      \
          __VA_ARGS__);                                                                                      \
    else if (size_log2 == 4)                                                                                 \
      __asm__ volatile("sust.b." #geometry ".v4.b32.zero [%[s], " at                                         \
                       "], {%[a], %[b], %[c], %[d]};" ::[s] "l"(surface),                                    \
                       [a] "r"(texel.x), [b] "r"(texel.y), [c] "r"(texel.z), [d] "r"(texel.w), __VA_ARGS__); \
    else if (size_log2 == 3)                                                                                 \
      __asm__ volatile("sust.b." #geometry ".v2.b32.zero [%[s], " at "], {%[a], %[b]};" ::[s] "l"(surface),  \
                       [a] "r"(texel.x), [b] "r"(texel.y), __VA_ARGS__);                                     \
    else if (size_log2 == 1)                                                                                 \
      __asm__ volatile("sust.b." #geometry ".b16.zero [%[s], " at "], {%[a]};" ::[s] "l"(surface),           \
                       [a] "h"((ushort)texel.x), __VA_ARGS__);                                               \
    else                                                                                                     \
      __asm__ volatile("sust.b." #geometry ".b8.zero [%[s], " at "], {%[a]};" ::[s] "l"(surface),            \
                       [a] "h"((ushort)texel.x), __VA_ARGS__);                                               \
  }
#define COORDINATES_1 int x
#define COORDINATES_2 int x, int y
#define COORDINATES_3 int x, int y, int z
SURFACE(1d, "{%[x]}", COORDINATES_1, [x] "r"(x))
SURFACE(2d, "{%[x], %[y]}", COORDINATES_2, [x] "r"(x), [y] "r"(y))
SURFACE(3d, "{%[x], %[y], %[z], %[z]}", COORDINATES_3, [x] "r"(x), [y] "r"(y), [z] "r"(z))
SURFACE(a1d, "{%[y], %[x]}", COORDINATES_2, [x] "r"(x), [y] "r"(y))
SURFACE(a2d, "{%[z], %[x], %[y], %[y]}", COORDINATES_3, [x] "r"(x), [y] "r"(y), [z] "r"(z))

static inline bool has_surface(struct texel_access how) {
  return !(how.word & (uint)CLCUDA_SURFACE_NONE << 24);
}
static inline bool in_layers(struct texel_access how) { return how.word & (uint)CLCUDA_SURFACE_LAYERS << 24; }
static inline uint4 load_volume(struct texel_access how, uint size_log2, int x, int y, int z) {
  return in_layers(how) ? load_a2d(how.surface, size_log2, x, y, z)
                        : load_3d(how.surface, size_log2, x, y, z);
}
static inline void store_volume(struct texel_access how, uint size_log2, uint4 texel, int x, int y, int z) {
  if (in_layers(how))
    store_a2d(how.surface, size_log2, texel, x, y, z);
  else
    store_3d(how.surface, size_log2, texel, x, y, z);
}

// The same by kind of image.
#define LOAD_image1d_t(how, size, c) load_1d(how.surface, size, c)
#define LOAD_image1d_array_t(how, size, c) load_a1d(how.surface, size, c.x, c.y)
#define LOAD_image2d_t(how, size, c) load_2d(how.surface, size, c.x, c.y)
#define LOAD_image2d_array_t(how, size, c) load_a2d(how.surface, size, c.x, c.y, c.z)
#define LOAD_image3d_t(how, size, c) load_volume(how, size, c.x, c.y, c.z)
#define LOAD_image2d_depth_t(how, size, c) LOAD_image2d_t(how, size, c)
#define LOAD_image2d_array_depth_t(how, size, c) LOAD_image2d_array_t(how, size, c)
#define STORE_image1d_t(how, size, texel, c) store_1d(how.surface, size, texel, c)
#define STORE_image1d_array_t(how, size, texel, c) store_a1d(how.surface, size, texel, c.x, c.y)
#define STORE_image2d_t(how, size, texel, c) store_2d(how.surface, size, texel, c.x, c.y)
#define STORE_image2d_array_t(how, size, texel, c) store_a2d(how.surface, size, texel, c.x, c.y, c.z)
#define STORE_image3d_t(how, size, texel, c) store_volume(how, size, texel, c.x, c.y, c.z)
#define STORE_image2d_depth_t(how, size, texel, c) STORE_image2d_t(how, size, texel, c)
#define STORE_image2d_array_depth_t(how, size, texel, c) STORE_image2d_array_t(how, size, texel, c)

#define IN_BUFFER_image1d_t(image, size, c) in_buffer(image, size, c, 0, 0)
#define IN_BUFFER_image1d_buffer_t(image, size, c) in_buffer(image, size, c, 0, 0)
#define IN_BUFFER_image1d_array_t(image, size, c) in_buffer(image, size, c.x, 0, c.y)
#define IN_BUFFER_image2d_t(image, size, c) in_buffer(image, size, c.x, c.y, 0)
#define IN_BUFFER_image2d_depth_t(image, size, c) in_buffer(image, size, c.x, c.y, 0)
#define IN_BUFFER_image2d_array_t(image, size, c) in_buffer(image, size, c.x, c.y, c.z)
#define IN_BUFFER_image2d_array_depth_t(image, size, c) in_buffer(image, size, c.x, c.y, c.z)
#define IN_BUFFER_image3d_t(image, size, c) in_buffer(image, size, c.x, c.y, c.z)

#define LOAD_image1d_buffer_t(how, size, c) 0
#define STORE_image1d_buffer_t(how, size, texel, c) (void)0

#define TEXEL(type, ...)                                                                                     \
  static inline uint4 texel_##type(descriptor_t image, struct texel_access how, COORDINATES_##type(int) c) { \
    if (has_surface(how)) return LOAD_##type(how, how.format.size_log2, c);                                  \
    return load_bytes(IN_BUFFER_##type(image, how.format.size_log2, c), how.format.size_log2);               \
  }                                                                                                          \
  static inline void set_texel_##type(descriptor_t image, struct texel_access how,                           \
                                      COORDINATES_##type(int) c, uint4 texel) {                              \
    if (has_surface(how))                                                                                    \
      STORE_##type(how, how.format.size_log2, texel, c);                                                     \
    else                                                                                                     \
      store_bytes(IN_BUFFER_##type(image, how.format.size_log2, c), how.format.size_log2, texel);            \
  }
FOR_IMAGES(TEXEL, )
