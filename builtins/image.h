// SPDX-License-Identifier: Apache-2.0
// What the families of image functions share: descriptors, texture fetches, orders of channels.
#pragma once
#include "image_descriptor.h"
#include "image_packed.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))

typedef const global struct clcuda_image* descriptor_t;

// M(access, type, …) for every kind of image that can be sampled.
#define FOR_SAMPLED_IMAGES(M, ...) \
  M(image1d_t, __VA_ARGS__)        \
  M(image1d_array_t, __VA_ARGS__)  \
  M(image2d_t, __VA_ARGS__)        \
  M(image2d_array_t, __VA_ARGS__)  \
  M(image3d_t, __VA_ARGS__)
#define FOR_DEPTH_IMAGES(M, ...)  \
  M(image2d_depth_t, __VA_ARGS__) \
  M(image2d_array_depth_t, __VA_ARGS__)
#define FOR_IMAGES(M, ...) \
  FOR_SAMPLED_IMAGES(M, __VA_ARGS__) FOR_DEPTH_IMAGES(M, __VA_ARGS__) M(image1d_buffer_t, __VA_ARGS__)

// M(type, access, …)
#define FOR_ACCESSES(M, type, ...) \
  M(type, read_only, __VA_ARGS__)  \
  M(type, write_only, __VA_ARGS__) \
  M(type, read_write, __VA_ARGS__)

#define DESCRIPTOR_OF(type, access) \
  descriptor_t OVERLOAD descriptor_of(access type) __asm__("__clcuda_image") __attribute__((const));
FOR_IMAGES(DESCRIPTOR_OF, read_only)
FOR_IMAGES(DESCRIPTOR_OF, write_only)
FOR_IMAGES(DESCRIPTOR_OF, read_write)
ulong number_of(sampler_t) __asm__("__clcuda_sampler") __attribute__((const));

// The type of a kind's coordinates.
#define COORDINATES_image1d_t(T) T
#define COORDINATES_image1d_array_t(T) T##2
#define COORDINATES_image2d_t(T) T##2
#define COORDINATES_image2d_array_t(T) T##4
#define COORDINATES_image3d_t(T) T##4
#define COORDINATES_image2d_depth_t(T) T##2
#define COORDINATES_image2d_array_depth_t(T) T##4
#define COORDINATES_image1d_buffer_t(T) T

// What the launch's code takes for granted of an image (the compiler's pass specialize_image_queries): its
// value where that is so, what was loaded where not; and whether the order of an image, and the sampler, are
// known.
uint known_order(descriptor_t image, uint loaded) __asm__("__clcuda_ask_image_order") __attribute__((const));
ulong known_format(descriptor_t image, ulong loaded) __asm__("__clcuda_ask_image_format")
    __attribute__((const));
bool is_read_known(descriptor_t image, ulong sampler) __asm__("__clcuda_ask_image_read_is_known")
    __attribute__((const));

// The texture object of an image for a sampler: one cached load. (The low half of a sampler chooses.)
static inline struct clcuda_image_texture texture_of(descriptor_t image, ulong sampler) {
  struct clcuda_image_texture texture;
  ulong rest;
  __asm__("ld.global.nc.v2.u64 {%0, %1}, [%2];"
          : "=l"(texture.handle), "=l"(rest)
          : "l"(&image->textures[(uint)sampler]));
  texture.order = known_order(image, (uint)rest);
  texture.last_layer = (uint)(rest >> 32);
  return texture;
}

// Sizes of an image: one cached load.
struct image_extents {
  int width, height, depth;
};
static inline struct image_extents extents_of(descriptor_t image) {
  ulong plane, rest;
  __asm__("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(plane), "=l"(rest) : "l"(&image->width));
  return (struct image_extents){(int)plane, (int)(plane >> 32), (int)rest};
}

// Where a fetch looks: an integer coordinate means the middle of the texel.
static inline float OVERLOAD place(float x) { return x; }
static inline float OVERLOAD place(int x) { return (float)x + 0.5f; }
static inline uint OVERLOAD layer(int x, uint last) {
  return (uint)__builtin_elementwise_min(__builtin_elementwise_max(x, 0), (int)last);
}
static inline uint OVERLOAD layer(float x, uint last) { return layer(__nvvm_f2i_rn(x), last); }

static inline INLINED bool is_plain(uint order) { return (order & ~CLCUDA_ORDER_PLACE) == CLCUDA_ORDER_RGBA; }
static inline INLINED uint chosen(uint4 v, uint one, uint which) {
  const uint first = which & 1 ? v.y : v.x, second = which & 1 ? v.w : v.z, constant_ = which & 1 ? one : 0;
  return which & 4 ? constant_ : which & 2 ? second : first;
}
static inline INLINED uint4 rearranged(uint4 v, uint one, uint order) {
  return (uint4)(chosen(v, one, order), chosen(v, one, order >> 4), chosen(v, one, order >> 8),
                 chosen(v, one, order >> 12));
}
static inline INLINED float4 in_order(float4 v, uint order) {
  return __builtin_astype(rearranged(__builtin_astype(v, uint4), 0x3f800000, order), float4);
}
static inline INLINED float4 OVERLOAD arranged(float4 v, uint order) {
  if (__builtin_expect(is_plain(order), 1)) return v;
  if (__builtin_expect(order >> CLCUDA_ORDER_PACKED, 0))
    return unpacked_fetch(v, order >> CLCUDA_ORDER_PACKED);
  return in_order(v, order);
}
static inline INLINED uint4 OVERLOAD arranged(uint4 v, uint order) {
  if (__builtin_expect(is_plain(order), 1)) return v;
  return rearranged(v, 1, order);
}
static inline INLINED int4 OVERLOAD arranged(int4 v, uint order) {
  return __builtin_astype(arranged(__builtin_astype(v, uint4), order), int4);
}
