// SPDX-License-Identifier: Apache-2.0
// An argument of each kind, as Clang's SPIR-V target writes them.
typedef struct {
  int number;
  float4 vector;
} pair;

kernel void all(global const int* numbers, constant float4* table, local ushort* scratch, uchar3 value,
                pair two, read_only image2d_t image, write_only image3d_t volume, sampler_t sampler,
                double wide) {
  const int4 texel = read_imagei(image, sampler, (int2)(0, 0));
  scratch[0] = value.x;
  write_imagef(volume, (int4)(0), table[0] + two.vector + (float)(numbers[0] + texel.x + two.number + wide));
}
