// SPDX-License-Identifier: Apache-2.0
// Two steps on images. Texture units find the texels, so that no kernel thinks about edges, channels or eight bits.

constant sampler_t between = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// To half the size: a sample between four texels is their mean.
kernel void halve(read_only image2d_t from, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));
  write_imagef(to, at, read_imagef(from, between, place));
}

// The bilateral filter: a mean of the neighbours that counts the near ones and those of a like colour. Surfaces become smooth, edges stay.
kernel void bilateral(read_only image2d_t from, write_only image2d_t to, float sigma, float color_sigma) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 here = read_imagef(from, texels, at);
  const float near = -0.5f / (sigma * sigma), alike = -0.5f / (color_sigma * color_sigma);
  float4 sum = 0;
  float weights = 0;
  for (int y = -RADIUS; y <= RADIUS; ++y) {
    for (int x = -RADIUS; x <= RADIUS; ++x) {
      const float4 there = read_imagef(from, texels, at + (int2)(x, y));
      const float3 difference = there.xyz - here.xyz;
      const float weight = exp(near * (float)(x * x + y * y) + alike * dot(difference, difference));
      sum += weight * there;
      weights += weight;
    }
  }
  write_imagef(to, at, sum / weights);
}
