// SPDX-License-Identifier: Apache-2.0
// Kernels as people write them first, and as several suites have them: sums grow in global memory, and nothing says that the arrays differ.

// Square matrices of `n` rows; the sums are there already.
GROUP_KERNEL(32, 8) product_in_memory(GLOBAL float* a, GLOBAL float* b, GLOBAL float* c, uint n) {
  const uint row = GLOBAL_Y, column = GLOBAL_X;
  for (uint k = 0; k < n; ++k) c[row * n + column] += a[row * n + k] * b[k * n + column];
}

// c += a·aᵀ.
GROUP_KERNEL(32, 8) symmetric_product(GLOBAL float* a, GLOBAL float* c, uint n) {
  const uint row = GLOBAL_Y, column = GLOBAL_X;
  for (uint k = 0; k < n; ++k) c[row * n + column] += a[row * n + k] * a[column * n + k];
}

KERNEL row_sums(GLOBAL float* a, GLOBAL float* b, GLOBAL float* x, GLOBAL float* y, GLOBAL float* z, uint n) {
  const uint row = GLOBAL_X;
  for (uint i = 0; i < n; ++i) {
    y[row] += a[row * n + i] * x[i];
    z[row] += b[row * n + i] * x[i];
  }
}

KERNEL column_sums(GLOBAL float* a, GLOBAL float* x, GLOBAL float* y, uint n) {
  const uint column = GLOBAL_X;
  for (uint i = 0; i < n; ++i) y[column] += a[i * n + column] * x[i];
}

// Down the columns of a grid, each from what is above it.
KERNEL sweep_down(GLOBAL float* x, GLOBAL float* a, GLOBAL float* b, uint n) {
  const uint column = GLOBAL_X;
  for (uint i = 1; i < n; ++i) {
    const uint at = i * n + column;
    x[at] = x[at] - x[at - n] * a[at] / b[at - n];
    b[at] = b[at] - a[at] * a[at] / b[at - n];
  }
}

// The mean of each column and the standard deviation from it.
KERNEL deviations(GLOBAL float* data, GLOBAL float* mean, GLOBAL float* deviation, uint n) {
  const uint column = GLOBAL_X;
  mean[column] = 0;
  for (uint i = 0; i < n; ++i) mean[column] += data[i * n + column];
  mean[column] /= n;
  deviation[column] = 0;
  for (uint i = 0; i < n; ++i)
    deviation[column] += (data[i * n + column] - mean[column]) * (data[i * n + column] - mean[column]);
}
