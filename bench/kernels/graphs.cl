// SPDX-License-Identifier: Apache-2.0
// Graphs and sparse matrices. Neighbours of node v are edges[starts[v]] to below edges[starts[v + 1]].

// Breadth-first: nodes not seen yet beside those of this level are of the next one.
KERNEL bfs_level(GLOBAL const uint* starts, GLOBAL const uint* edges, GLOBAL uint* levels, uint level) {
  const uint node = GLOBAL_X;
  if (levels[node] != level) return;
  for (uint i = starts[node]; i < starts[node + 1]; ++i) {
    const uint other = edges[i];
    if (levels[other] == 0xffffffff) levels[other] = level + 1;
  }
}

// A turn of PageRank: what each node gets from those that point to it.
KERNEL page_rank(GLOBAL const uint* starts, GLOBAL const uint* edges, GLOBAL const float* shares,
                 GLOBAL float* ranks, float damping) {
  const uint node = GLOBAL_X;
  float sum = 0;
  for (uint i = starts[node]; i < starts[node + 1]; ++i) sum += shares[edges[i]];
  ranks[node] = (1.0f - damping) + damping * sum;
}

// Rows of the same length, kept by columns.
KERNEL ell_product(GLOBAL const uint* columns, GLOBAL const float* values, GLOBAL const float* vector,
                   GLOBAL float* result, uint rows, uint length) {
  const uint row = GLOBAL_X;
  float sum = 0;
  for (uint i = 0; i < length; ++i) sum += values[i * rows + row] * vector[columns[i * rows + row]];
  result[row] = sum;
}
