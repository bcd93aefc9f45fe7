// SPDX-License-Identifier: Apache-2.0
// Texels whose channels share a number (CL_UNORM_SHORT_565 and the like), which no texture unit reads for
// CUDA. Nothing here is a call: a kernel with calls, even such as are never made, gets registers and a stack
// that cost it most of its speed.
#pragma once
#define INLINED __attribute__((always_inline))

// By the type (cl_channel_type - CL_SNORM_INT8): those of image_descriptor.h.
static inline INLINED bool is_packed(uint type) { return type < 32 && (CLCUDA_PACKED_TYPES >> type & 1); }

// Where red, green, blue and alpha begin, five bits each, and how many bits they have, four each; 0 for an
// alpha that the texel lacks.
struct clcuda_packed_fields {
  uint begins, sizes;
};
static inline INLINED struct clcuda_packed_fields packed_fields(uint type) {
  struct clcuda_packed_fields fields = {0 | 10 << 5 | 20 << 10 | 30 << 15, 0x2aaa};  // 2_101010
  if (type == 0x4) fields = (struct clcuda_packed_fields){11 | 5 << 5, 0x0565};
  if (type == 0x5) fields = (struct clcuda_packed_fields){10 | 5 << 5, 0x0555};
  if (type == 0x6) fields = (struct clcuda_packed_fields){20 | 10 << 5, 0x0aaa};
  if (type == 0x10) fields = (struct clcuda_packed_fields){22 | 12 << 5 | 2 << 10, 0x2aaa};
  return fields;
}
static inline INLINED uint4 packed_begins(struct clcuda_packed_fields f) {
  return (uint4)(f.begins & 31, f.begins >> 5 & 31, f.begins >> 10 & 31, f.begins >> 15 & 31);
}
static inline INLINED uint4 packed_most(struct clcuda_packed_fields f) {
  const uint4 sizes = (uint4)(f.sizes & 15, f.sizes >> 4 & 15, f.sizes >> 8 & 15, f.sizes >> 12 & 15);
  return ((uint4)1 << sizes) - 1;
}

// Chosen, not divided: divisions to the last bit take many registers.
static inline INLINED float one_over(uint most) {
  return most == 31 ? 1.0f / 31.0f : most == 63 ? 1.0f / 63.0f : most == 1023 ? 1.0f / 1023.0f : 1.0f / 3.0f;
}
static inline INLINED float4 unpacked(uint texel, uint type) {
  const struct clcuda_packed_fields fields = packed_fields(type);
  const uint4 most = packed_most(fields);
  const uint4 bits = (uint4)texel >> packed_begins(fields) & most;
  float4 color = __builtin_convertvector(bits, float4) *
                 (float4)(one_over(most.x), one_over(most.y), one_over(most.z), one_over(most.w));
  if (!most.w) color.w = 1.0f;
  return color;
}

// Of what a texture gave: the texel's number, or its four bytes, between 0 and 1.
static inline INLINED float4 unpacked_fetch(float4 fetched, uint type) {
  const bool is_short = type == 0x4 || type == 0x5;
  const uint x = (uint)__nvvm_f2i_rn(fetched.x * (is_short ? 65535.0f : 255.0f));
  const uint rest = (uint)__nvvm_f2i_rn(fetched.y * 255.0f) << 8 |
                    (uint)__nvvm_f2i_rn(fetched.z * 255.0f) << 16 |
                    (uint)__nvvm_f2i_rn(fetched.w * 255.0f) << 24;
  return unpacked(is_short ? x : x | rest, type);
}

static inline INLINED uint packed(float4 color, uint type) {
  const struct clcuda_packed_fields fields = packed_fields(type);
  const float4 most = __builtin_convertvector(packed_most(fields), float4);
  const uint4 begins = packed_begins(fields);
  return (uint)__nvvm_f2i_rn(__nvvm_saturate_f(color.x) * most.x) << begins.x |
         (uint)__nvvm_f2i_rn(__nvvm_saturate_f(color.y) * most.y) << begins.y |
         (uint)__nvvm_f2i_rn(__nvvm_saturate_f(color.z) * most.z) << begins.z |
         (uint)__nvvm_f2i_rn(__nvvm_saturate_f(color.w) * most.w) << begins.w;
}
