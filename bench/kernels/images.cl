// SPDX-License-Identifier: Apache-2.0
// Pictures of eight bits a channel and a volume of floats, through the texture units.

SAMPLER(texels, CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST)
SAMPLER(smooth, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR)

CONSTANT float bell[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

// 5 × 5 texels.
KERNEL image_blur(SAMPLED_2D from, WRITTEN_2D to) {
  const uint x = GLOBAL_X, y = GLOBAL_Y;
  float r = 0.0f, g = 0.0f, b = 0.0f, a = 0.0f;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const float weight = bell[dy + 2] * bell[dx + 2];
      const float4 color = SAMPLE_2D(from, texels, (float)((int)x + dx) + 0.5f, (float)((int)y + dy) + 0.5f);
      r += weight * color.x;
      g += weight * color.y;
      b += weight * color.z;
      a += weight * color.w;
    }
  }
  STORE_2D(to, x, y, r, g, b, a);
}

// To another size; the scales are one over the new one.
KERNEL image_resize(SAMPLED_2D from, WRITTEN_2D to, float scale_x, float scale_y) {
  const uint x = GLOBAL_X, y = GLOBAL_Y;
  const float4 color = SAMPLE_2D(from, smooth, ((float)x + 0.5f) * scale_x, ((float)y + 0.5f) * scale_y);
  STORE_2D(to, x, y, color.x, color.y, color.z, color.w);
}

// An oblique plane through a volume.
KERNEL volume_slice(SAMPLED_3D from, GLOBAL float* to, float scale) {
  const uint x = GLOBAL_X, y = GLOBAL_Y;
  const float s = ((float)x + 0.5f) * scale, t = ((float)y + 0.5f) * scale;
  to[y * GLOBAL_SIZE_X + x] = SAMPLE_3D(from, smooth, s, t, 0.25f * s + 0.5f * t).x;
}
