// SPDX-License-Identifier: Apache-2.0
// Neighbours on grids whose border has been padded, and rows of a sparse matrix.

// `width` counts the padding of one value on each side.
GROUP_KERNEL(32, 8) stencil_2d(GLOBAL const float* from, GLOBAL float* to, uint width) {
  const uint at = (GLOBAL_Y + 1) * width + GLOBAL_X + 1;
  to[at] = 0.5f * from[at] + 0.125f * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width]);
}

// Each work-item goes down a column of `depth` values.
GROUP_KERNEL(32, 8)
stencil_3d(GLOBAL const float* from, GLOBAL float* to, uint width, uint height, uint depth) {
  const uint plane = width * height;
  uint at = plane + (GLOBAL_Y + 1) * width + GLOBAL_X + 1;
  float below = from[at - plane], here = from[at];
  for (uint z = 0; z < depth; ++z) {
    const float above = from[at + plane];
    to[at] = 0.4f * here +
             0.1f * (below + above + from[at - 1] + from[at + 1] + from[at - width] + from[at + width]);
    below = here;
    here = above;
    at += plane;
  }
}

CONSTANT float filter[49] = {0.0049f, 0.0092f, 0.0134f, 0.0152f, 0.0134f, 0.0092f, 0.0049f, 0.0092f, 0.0172f,
                             0.0250f, 0.0283f, 0.0250f, 0.0172f, 0.0092f, 0.0134f, 0.0250f, 0.0364f, 0.0412f,
                             0.0364f, 0.0250f, 0.0134f, 0.0152f, 0.0283f, 0.0412f, 0.0467f, 0.0412f, 0.0283f,
                             0.0152f, 0.0134f, 0.0250f, 0.0364f, 0.0412f, 0.0364f, 0.0250f, 0.0134f, 0.0092f,
                             0.0172f, 0.0250f, 0.0283f, 0.0250f, 0.0172f, 0.0092f, 0.0049f, 0.0092f, 0.0134f,
                             0.0152f, 0.0134f, 0.0092f, 0.0049f};

// 7 × 7 through a tile in local memory; `width` counts the padding of three on each side.
GROUP_KERNEL(16, 16) convolution(GLOBAL const float* from, GLOBAL float* to, uint width) {
  LOCAL float tile[22][23];
  for (uint y = LOCAL_Y; y < 22; y += 16) {
    for (uint x = LOCAL_X; x < 22; x += 16) tile[y][x] = from[(GROUP_Y * 16 + y) * width + GROUP_X * 16 + x];
  }
  BARRIER();
  float sum = 0;
  for (uint y = 0; y < 7; ++y) {
    for (uint x = 0; x < 7; ++x) sum += filter[y * 7 + x] * tile[LOCAL_Y + y][LOCAL_X + x];
  }
  to[(GLOBAL_Y + 3) * width + GLOBAL_X + 3] = sum;
}

// Compressed rows, one for a work-item.
KERNEL sparse_product(GLOBAL const uint* starts, GLOBAL const uint* columns, GLOBAL const float* values,
                      GLOBAL const float* vector, GLOBAL float* result) {
  const uint row = GLOBAL_X, end = starts[row + 1];
  float sum = 0;
  for (uint i = starts[row]; i < end; ++i) sum += values[i] * vector[columns[i]];
  result[row] = sum;
}
