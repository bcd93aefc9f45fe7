// SPDX-License-Identifier: Apache-2.0
// Collective functions of OpenCL C against CUB's, on values in registers. Results of reductions are looked at by the first item only,
// which is all that CUB promises.

GROUP_KERNEL(256, 1) sub_group_sum(GLOBAL const float* values, GLOBAL float* sums, uint rounds) {
  float value = values[GLOBAL_X], sum = 0;
  for (uint i = 0; i < rounds; ++i) {
    sum += SUB_GROUP_SUM(value);
    value = value * 0.5f + 0.25f;
  }
  if (LOCAL_X % 32 == 0) sums[GLOBAL_X / 32] = sum;
}

GROUP_KERNEL(256, 1) sub_group_minimum(GLOBAL const uint* values, GLOBAL uint* sums, uint rounds) {
  uint value = values[GLOBAL_X], sum = 0;
  for (uint i = 0; i < rounds; ++i) {
    sum += SUB_GROUP_MINIMUM(value);
    value = value * 5 + 1;
  }
  if (LOCAL_X % 32 == 0) sums[GLOBAL_X / 32] = sum;
}

GROUP_KERNEL(256, 1) sub_group_scan(GLOBAL const float* values, GLOBAL float* sums, uint rounds) {
  float value = values[GLOBAL_X], sum = 0;
  for (uint i = 0; i < rounds; ++i) {
    sum += SUB_GROUP_SCAN(value);
    value = value * 0.5f + 0.25f;
  }
  sums[GLOBAL_X] = sum;
}

GROUP_KERNEL(256, 1) work_group_sum(GLOBAL const float* values, GLOBAL float* sums, uint rounds) {
  float value = values[GLOBAL_X], sum = 0;
  for (uint i = 0; i < rounds; ++i) {
    sum += WORK_GROUP_SUM(value);
    value = value * 0.5f + 0.25f;
  }
  if (LOCAL_X == 0) sums[GROUP_X] = sum;
}

GROUP_KERNEL(256, 1) work_group_scan(GLOBAL const uint* values, GLOBAL uint* sums, uint rounds) {
  uint value = values[GLOBAL_X], sum = 0;
  for (uint i = 0; i < rounds; ++i) {
    sum += WORK_GROUP_SCAN(value);
    value = value * 5 + 1;
  }
  sums[GLOBAL_X] = sum;
}
