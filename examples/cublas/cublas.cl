// SPDX-License-Identifier: Apache-2.0
// What OpenCL does before and after cuBLAS's product: both matrices from a hash of the place, and a bias for the result.

float value_at(uint seed, uint place) {
  uint hash = (place + seed) * 2654435761u;
  hash ^= hash >> 15;
  hash *= 2246822519u;
  hash ^= hash >> 13;
  return (float)(hash & 0xffff) / 65536.0f - 0.5f;
}

kernel void fill(global float* a, global float* b) {
  uint place = get_global_id(0);
  a[place] = value_at(1, place);
  b[place] = value_at(2, place);
}

kernel void add_bias(global float* c, uint rows) {
  uint place = get_global_id(0);
  c[place] = fmax(c[place] + (float)(place % rows), 0.0f);
}
