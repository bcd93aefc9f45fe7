// SPDX-License-Identifier: Apache-2.0
// Half precision, two values in a register.
#ifdef __CUDACC__
#define TWICE(value) __half2half2(value)
#define MULTIPLY_ADD(a, b, c) __hfma2(a, b, c)
#define ZERO2 __float2half2_rn(0.0f)
#else
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define TWICE(value) ((half2)(value))
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#define ZERO2 ((half2)(0))
#endif

// As sgemm_blocked, with b and c in pairs of columns: n2 = n / 2. A work-item has 4 rows and 2 pairs.
GROUP_KERNEL(16, 16) hgemm(GLOBAL const half* a, GLOBAL const half2* b, GLOBAL half2* c, uint n) {
  LOCAL half tile_a[16][66];
  LOCAL half2 tile_b[16][32];
  const uint x = LOCAL_X, y = LOCAL_Y, item = y * 16 + x, n2 = n / 2;
  half2 sum[4][2];
  for (uint i = 0; i < 4; ++i) sum[i][0] = sum[i][1] = ZERO2;
  for (uint k = 0; k < n; k += 16) {
    for (uint part = 0; part < 4; ++part) {
      const uint at = part * 256 + item;
      tile_a[at % 16][at / 16] = a[(GROUP_Y * 64 + at / 16) * n + k + at % 16];
    }
    for (uint part = 0; part < 2; ++part) {
      const uint at = part * 256 + item;
      tile_b[at / 32][at % 32] = b[(k + at / 32) * n2 + GROUP_X * 32 + at % 32];
    }
    BARRIER();
    for (uint i = 0; i < 16; ++i) {
      const half2 right0 = tile_b[i][x], right1 = tile_b[i][x + 16];
      for (uint row = 0; row < 4; ++row) {
        const half2 left = TWICE(tile_a[i][y + row * 16]);
        sum[row][0] = MULTIPLY_ADD(left, right0, sum[row][0]);
        sum[row][1] = MULTIPLY_ADD(left, right1, sum[row][1]);
      }
    }
    BARRIER();
  }
  for (uint row = 0; row < 4; ++row) {
    const uint at = (GROUP_Y * 64 + y + row * 16) * n2 + GROUP_X * 32 + x;
    c[at] = sum[row][0];
    c[at + 16] = sum[row][1];
  }
}
