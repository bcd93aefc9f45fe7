// SPDX-License-Identifier: Apache-2.0
#include "image.h"
#include "image_format.h"
#include "image_packed.h"

#define APART __attribute__((noinline))

// Where red, green, blue and alpha begin, and their greatest values; 0 for an alpha that the texel lacks.
struct fields {
  uint4 lowest_bit, most;
};
static inline struct fields fields_of(uint type) {
  struct fields fields;
  const uint4 tens = (uint4)(1023, 1023, 1023, 3);
  switch (type) {
    case unorm_short_565:
      fields.lowest_bit = (uint4)(11, 5, 0, 0);
      fields.most = (uint4)(31, 63, 31, 0);
      return fields;
    case unorm_short_555:
      fields.lowest_bit = (uint4)(10, 5, 0, 0);
      fields.most = (uint4)(31, 31, 31, 0);
      return fields;
    case unorm_int_101010:
      fields.lowest_bit = (uint4)(20, 10, 0, 0);
      fields.most = (uint4)(1023, 1023, 1023, 0);
      return fields;
    case unorm_int_101010_2:
      fields.lowest_bit = (uint4)(22, 12, 2, 0);
      fields.most = tens;
      return fields;
    default:
      fields.lowest_bit = (uint4)(0, 10, 20, 30);
      fields.most = tens;
      return fields;
  }
}

APART float4 __clcuda_unpacked(uint texel, uint type) {
  const struct fields fields = fields_of(type);
  const uint4 bits = (uint4)texel >> fields.lowest_bit & fields.most;
  float4 color = CONVERT(bits, float) / CONVERT(fields.most, float);
  if (!fields.most.w) color.w = 1.0f;
  return color;
}

APART float4 __clcuda_unpacked_fetch(float4 fetched, uint type) {
  if (type == unorm_short_565 || type == unorm_short_555)
    return __clcuda_unpacked((uint)__nvvm_f2i_rn(fetched.x * 65535.0f), type);
  return __clcuda_unpacked(joined(bits_of_floats(fetched, unorm_int8), 8).x, type);
}

APART uint __clcuda_packed(float4 color, uint type) {
  const struct fields fields = fields_of(type);
  const float4 most = CONVERT(fields.most, float);
  return unorm_of(color.x, most.x) << fields.lowest_bit.x | unorm_of(color.y, most.y) << fields.lowest_bit.y |
         unorm_of(color.z, most.z) << fields.lowest_bit.z | unorm_of(color.w, most.w) << fields.lowest_bit.w;
}
