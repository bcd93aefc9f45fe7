// SPDX-License-Identifier: Apache-2.0
// TILE and GROUP are given by the host. cuda/kernels.cu has the same kernels in CUDA.

kernel void triad(global float* a, global const float* b, global const float* c, float scale) {
  const uint i = get_global_id(0);
  a[i] = b[i] + scale * c[i];
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void sgemm(global const float* a,
                                                                       global const float* b, global float* c,
                                                                       uint n) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0;
  for (uint k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE; ++i) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

// A body is a position and a mass.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void nbody(global const float4* bodies,
                                                                     global float4* forces, uint count) {
  local float4 others[GROUP];
  const float4 body = bodies[get_global_id(0)];
  float3 force = 0;
  for (uint first = 0; first < count; first += GROUP) {
    others[get_local_id(0)] = bodies[first + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < GROUP; ++i) {
      const float3 away = others[i].xyz - body.xyz;
      const float inverse = rsqrt(away.x * away.x + away.y * away.y + away.z * away.z + 1e-3f);
      force += away * (others[i].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[get_global_id(0)] = (float4)(force, 0);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void reduction(global const float* values,
                                                                         global float* sums, uint count) {
  local float partial[GROUP];
  const uint lane = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += values[i];
  partial[lane] = sum;
  for (uint distance = GROUP / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < distance) partial[lane] += partial[lane + distance];
  }
  if (lane == 0) sums[get_group_id(0)] = partial[0];
}

kernel void transcendental(global const float* values, global float* results) {
  const uint i = get_global_id(0);
  const float x = values[i];
  results[i] = sin(x) + exp(x) + pow(x, 1.7f) + log(x);
}
