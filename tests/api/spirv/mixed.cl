// SPDX-License-Identifier: Apache-2.0
// Loops, branches, local memory, a barrier, library functions and a printf in one program of several kernels.
constant float weights[] = {0.25f, 0.5f, 0.25f};

kernel void smooth(global const float* in, global float* out, uint count) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (int k = -1; k <= 1; ++k) {
    const int at = clamp((int)i + k, 0, (int)count - 1);
    sum = fma(weights[k + 1], in[at], sum);
  }
  out[i] = sum;
}

kernel void total(global const uint* in, global uint* out, local uint* parts) {
  const uint i = get_local_id(0);
  parts[i] = in[get_global_id(0)];
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < half_size) parts[i] += parts[i + half_size];
  }
  if (i == 0) atomic_add(out, parts[0]);
}

kernel void kinds(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  switch (in[i] % 5) {
    case 0:
      out[i] = popcount(in[i]);
      break;
    case 1:
      out[i] = rotate(in[i], 3);
      break;
    case 2:
    case 3:
      out[i] = mad_sat(in[i], 65537, 9);
      break;
    default:
      out[i] = convert_int_sat_rte(in[i] * 0.3f);
  }
}
