// SPDX-License-Identifier: Apache-2.0
// Histogram equalisation and a separable Gaussian blur of an 8-bit image with CHANNELS values per pixel: 1
// grey, 2 grey and alpha, 3 RGB, 4 RGBA. All arithmetic is on integers, so that a host can compute exactly
// the same.

#if CHANNELS == 1
typedef uint Pixel;
#define LOAD(from, index) ((from)[index])
#define STORE(value, to, index, Type) ((to)[index] = convert_##Type##_sat(value))
#elif CHANNELS == 2
typedef uint2 Pixel;
#define LOAD(from, index) convert_uint2(vload2(index, from))
#define STORE(value, to, index, Type) vstore2(convert_##Type##2_sat(value), index, to)
#elif CHANNELS == 3
typedef uint3 Pixel;
#define LOAD(from, index) convert_uint3(vload3(index, from))
#define STORE(value, to, index, Type) vstore3(convert_##Type##3_sat(value), index, to)
#else
typedef uint4 Pixel;
#define LOAD(from, index) convert_uint4(vload4(index, from))
#define STORE(value, to, index, Type) vstore4(convert_##Type##4_sat(value), index, to)
#endif

#define LEVELS 256

uint luma(Pixel pixel) {
#if CHANNELS == 1
  return pixel;
#elif CHANNELS == 2
  return pixel.x;
#else
  return (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8;
#endif
}

// The colour moved by `shift` levels, alpha as it was.
Pixel brightened(Pixel pixel, int shift) {
#if CHANNELS == 1
  return clamp((int)pixel + shift, 0, LEVELS - 1);
#elif CHANNELS == 2
  return (uint2)(clamp((int)pixel.x + shift, 0, LEVELS - 1), pixel.y);
#elif CHANNELS == 3
  return convert_uint3(clamp(convert_int3(pixel) + shift, 0, LEVELS - 1));
#else
  return (uint4)(convert_uint3(clamp(convert_int3(pixel.xyz) + shift, 0, LEVELS - 1)), pixel.w);
#endif
}

// Counts the pixels of each luma. Each work-group counts into local memory, then adds its counts to the
// whole.
kernel __attribute__((reqd_work_group_size(LEVELS, 1, 1))) void histogram(global const uchar* image,
                                                                          uint pixels, global uint* counts) {
  local uint group_counts[LEVELS];
  const uint bin = get_local_id(0);
  group_counts[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < pixels; i += get_global_size(0)) {
    atomic_inc(&group_counts[luma(LOAD(image, i))]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (group_counts[bin] != 0) atomic_add(&counts[bin], group_counts[bin]);
}

// One work-group: the new luma of each luma, which spreads the running sum of the counts over all levels.
kernel __attribute__((reqd_work_group_size(LEVELS, 1, 1))) void equalising_table(global const uint* counts,
                                                                                 uint pixels,
                                                                                 global uint* table) {
  local uint sums[LEVELS];
  local uint lowest;
  const uint level = get_local_id(0);
  const uint count = counts[level];
  sums[level] = count;
  if (level == 0) lowest = pixels;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < LEVELS; distance *= 2) {
    const uint before = level >= distance ? sums[level - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[level] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (count != 0) atomic_min(&lowest, sums[level]);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong range = pixels - lowest;  // 0 where the whole image has one luma: it stays as it is
  const ulong above = max(sums[level], lowest) - lowest;
  table[level] = range == 0 ? level : (uint)((above * (LEVELS - 1) + range / 2) / range);
}

kernel void equalise(global const uchar* image, uint pixels, global const uint* table, global uchar* result) {
  const uint i = get_global_id(0);
  if (i >= pixels) return;
  const Pixel pixel = LOAD(image, i);
  const uint level = luma(pixel);
  STORE(brightened(pixel, (int)table[level] - (int)level), result, i, uchar);
}

// The blur reads each pixel from memory once for a whole tile of TILE×TILE results: the tile and `radius`
// pixels on both of its ends go to local memory first. Weights add up to 1 << 16. Between the two passes a
// value has 8 more bits.
#define WEIGHT_BITS 16
#define EXTRA_BITS 8

kernel
    __attribute__((reqd_work_group_size(TILE, TILE, 1))) void blur_rows(global const uchar* image, int width,
                                                                        int height, constant uint* weights,
                                                                        int radius, local Pixel* tile,
                                                                        global ushort* result) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int column = get_local_id(0);
  const int span = TILE + 2 * radius;
  local Pixel* row = tile + get_local_id(1) * span;
  const int first = (int)get_group_id(0) * TILE - radius;
  for (int i = column; i < span && y < height; i += TILE) {
    row[i] = LOAD(image, (size_t)y * width + clamp(first + i, 0, width - 1));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height) return;
  Pixel sum = 1 << (WEIGHT_BITS - EXTRA_BITS - 1);
  for (int i = 0; i <= 2 * radius; ++i) sum += row[column + i] * weights[i];
  STORE(sum >> (WEIGHT_BITS - EXTRA_BITS), result, (size_t)y * width + x, ushort);
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void blur_columns(global const ushort* image,
                                                                              int width, int height,
                                                                              constant uint* weights,
                                                                              int radius, local Pixel* tile,
                                                                              global uchar* result) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int row = get_local_id(1);
  const int span = TILE + 2 * radius;
  local Pixel* column = tile + get_local_id(0);
  const int first = (int)get_group_id(1) * TILE - radius;
  for (int i = row; i < span && x < width; i += TILE) {
    column[i * TILE] = LOAD(image, (size_t)clamp(first + i, 0, height - 1) * width + x);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height) return;
  Pixel sum = 1 << (WEIGHT_BITS + EXTRA_BITS - 1);
  for (int i = 0; i <= 2 * radius; ++i) sum += column[(row + i) * TILE] * weights[i];
  STORE(sum >> (WEIGHT_BITS + EXTRA_BITS), result, (size_t)y * width + x, uchar);
}
