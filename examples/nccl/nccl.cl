// SPDX-License-Identifier: Apache-2.0
// What each GPU gives to the sum, small whole numbers whose sum is exact, and whether the sum is right.

float part(uint place, uint gpu) { return (float)((place * 7 + gpu * 13) & 1023); }

kernel void fill(global float* values, uint gpu) {
  const uint place = get_global_id(0);
  values[place] = part(place, gpu);
}

kernel void count_wrong(global const float* sums, uint gpus, global uint* wrong) {
  const uint place = get_global_id(0);
  float expected = 0;
  for (uint gpu = 0; gpu < gpus; ++gpu) expected += part(place, gpu);
  if (sums[place] != expected) atomic_inc(wrong);
}
