// SPDX-License-Identifier: Apache-2.0
// Square matrices, row after row, whose size is a multiple of every tile.

// Groups of 32 × 8 turn tiles of 32 × 32.
GROUP_KERNEL(32, 8) transpose(GLOBAL const float* from, GLOBAL float* to, uint n) {
  LOCAL float tile[32][33];
  for (uint y = LOCAL_Y; y < 32; y += 8)
    tile[y][LOCAL_X] = from[(GROUP_Y * 32 + y) * n + GROUP_X * 32 + LOCAL_X];
  BARRIER();
  for (uint y = LOCAL_Y; y < 32; y += 8)
    to[(GROUP_X * 32 + y) * n + GROUP_Y * 32 + LOCAL_X] = tile[LOCAL_X][y];
}

// One element for a work-item.
#define TILED_PRODUCT(name, real)                                                                 \
  GROUP_KERNEL(16, 16) name(GLOBAL const real* a, GLOBAL const real* b, GLOBAL real* c, uint n) { \
    LOCAL real tile_a[16][16];                                                                    \
    LOCAL real tile_b[16][16];                                                                    \
    const uint x = LOCAL_X, y = LOCAL_Y, column = GLOBAL_X, row = GLOBAL_Y;                       \
    real sum = 0;                                                                                 \
    for (uint k = 0; k < n; k += 16) {                                                            \
      tile_a[y][x] = a[row * n + k + x];                                                          \
      tile_b[y][x] = b[(k + y) * n + column];                                                     \
      BARRIER();                                                                                  \
      for (uint i = 0; i < 16; ++i) sum += tile_a[y][i] * tile_b[i][x];                           \
      BARRIER();                                                                                  \
    }                                                                                             \
    c[row * n + column] = sum;                                                                    \
  }
TILED_PRODUCT(sgemm_tiled, float)
TILED_PRODUCT(dgemm, double)

// 4 × 4 elements for a work-item, 64 × 64 for a group of 16 × 16.
GROUP_KERNEL(16, 16) sgemm_blocked(GLOBAL const float* a, GLOBAL const float* b, GLOBAL float* c, uint n) {
  LOCAL float tile_a[16][65];  // turned: [k][row]
  LOCAL float tile_b[16][64];
  const uint x = LOCAL_X, y = LOCAL_Y, item = y * 16 + x;
  float sum[4][4];
  for (uint i = 0; i < 4; ++i) {
    for (uint j = 0; j < 4; ++j) sum[i][j] = 0;
  }
  for (uint k = 0; k < n; k += 16) {
    for (uint part = 0; part < 4; ++part) {
      const uint at = part * 256 + item;
      tile_a[at % 16][at / 16] = a[(GROUP_Y * 64 + at / 16) * n + k + at % 16];
      tile_b[at / 64][at % 64] = b[(k + at / 64) * n + GROUP_X * 64 + at % 64];
    }
    BARRIER();
    for (uint i = 0; i < 16; ++i) {
      float left[4], right[4];
      for (uint j = 0; j < 4; ++j) left[j] = tile_a[i][y + j * 16];
      for (uint j = 0; j < 4; ++j) right[j] = tile_b[i][x + j * 16];
      for (uint row = 0; row < 4; ++row) {
        for (uint column = 0; column < 4; ++column) sum[row][column] += left[row] * right[column];
      }
    }
    BARRIER();
  }
  for (uint row = 0; row < 4; ++row) {
    for (uint column = 0; column < 4; ++column) {
      c[(GROUP_Y * 64 + y + row * 16) * n + GROUP_X * 64 + x + column * 16] = sum[row][column];
    }
  }
}
