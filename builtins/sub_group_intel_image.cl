// SPDX-License-Identifier: Apache-2.0
// Block reads and writes of images, of cl_intel_subgroups and related extensions: coordinates count bytes and rows, texels are not
// converted. Lane l accesses the unit that is l units to the right, element i of a vector the one that is i rows below.
#include "image_texel.h"
#include "sub_group.h"

struct rows {
  descriptor_t image;
  struct texel_access how;
  int bytes, last;  // of a row; the last row
};

static inline struct rows rows_of(descriptor_t image) {
  struct rows rows = {image, access_of(image), 0, 0};
  rows.bytes = (int)(image->width << rows.how.format.size_log2);
  rows.last = (int)image->height - 1;
  return rows;
}

static inline int between(int x, int low, int high) {
  return __builtin_elementwise_max(__builtin_elementwise_min(x, high), low);
}

static inline bool holds(struct rows rows, uint size, int x, int y) {
  return x >= 0 && x <= rows.bytes - (int)size && y >= 0 && y <= rows.last;
}

static inline global uchar* row_in_buffer(struct rows rows, int y) {
  return (global uchar*)rows.image->data + (ulong)y * rows.image->row_pitch;
}

static inline ulong load_unit(struct rows rows, uint size_log2, int x, int y) {
  uint4 unit;
  if (rows.how.surface)
    unit = load_2d(rows.how.surface, size_log2, x >> size_log2, y);
  else
    unit = load_bytes(row_in_buffer(rows, y) + x, size_log2);
  return (ulong)unit.y << 32 | unit.x;
}

static inline void store_unit(struct rows rows, uint size_log2, int x, int y, ulong value) {
  const uint4 unit = (uint4)((uint)value, (uint)(value >> 32), 0, 0);
  if (rows.how.surface)
    store_2d(rows.how.surface, size_log2, unit, x >> size_log2, y);
  else
    store_bytes(row_in_buffer(rows, y) + x, size_log2, unit);
}

// Reads outside the image return whole texels from its edge. Unaligned units are read byte by byte.
static inline ulong read_unit(struct rows rows, uint size_log2, int x, int y) {
  const uint size = 1u << size_log2, texel = 1u << rows.how.format.size_log2;
  if (holds(rows, size, x, y) && (uint)x % size == 0) return load_unit(rows, size_log2, x, y);
  y = between(y, 0, rows.last);
  ulong value = 0;
  for (uint i = 0; i < size; ++i) {
    const int at = x + (int)i, within = at & (int)(texel - 1);
    value |= load_unit(rows, 0, between(at - within, 0, rows.bytes - (int)texel) + within, y) << 8 * i;
  }
  return value;
}

// Bytes outside the image are not written.
static inline void write_unit(struct rows rows, uint size_log2, int x, int y, ulong value) {
  const uint size = 1u << size_log2;
  if (holds(rows, size, x, y) && (uint)x % size == 0) {
    store_unit(rows, size_log2, x, y, value);
    return;
  }
  for (uint i = 0; i < size; ++i)
    if (holds(rows, 1, x + (int)i, y)) store_unit(rows, 0, x + (int)i, y, value >> 8 * i);
}

#define READ(access, name, T, log2, n, row)                                                     \
  T##n COLLECTIVE intel_sub_group_block_read##name##n(access image2d_t image, int2 byte) {      \
    const struct rows rows = rows_of(descriptor_of(image));                                     \
    const int x = byte.x + (int)(lane() << log2);                                               \
    T##n value;                                                                                 \
    _Pragma("unroll") for (int i = 0; i < (int)(sizeof(T##n) / sizeof(T)); ++i) row(value, i) = \
        (T)read_unit(rows, log2, x, byte.y + i);                                                \
    return value;                                                                               \
  }
#define WRITE(access, name, T, log2, n, row)                                                            \
  void COLLECTIVE intel_sub_group_block_write##name##n(access image2d_t image, int2 byte, T##n value) { \
    const struct rows rows = rows_of(descriptor_of(image));                                             \
    const int x = byte.x + (int)(lane() << log2);                                                       \
    _Pragma("unroll") for (int i = 0; i < (int)(sizeof(T##n) / sizeof(T)); ++i)                         \
        write_unit(rows, log2, x, byte.y + i, row(value, i));                                           \
  }
#define ONLY(value, i) value
#define EACH(value, i) value[i]
#define BLOCK(name, T, log2, n, row)       \
  READ(read_only, name, T, log2, n, row)   \
  READ(read_write, name, T, log2, n, row)  \
  WRITE(write_only, name, T, log2, n, row) \
  WRITE(read_write, name, T, log2, n, row)
#define BLOCKS(name, T, log2)   \
  BLOCK(name, T, log2, , ONLY)  \
  BLOCK(name, T, log2, 2, EACH) \
  BLOCK(name, T, log2, 4, EACH) \
  BLOCK(name, T, log2, 8, EACH) \
  BLOCK(name, T, log2, 16, EACH)
BLOCKS(, uint, 2)
BLOCKS(_ui, uint, 2)
BLOCKS(_us, ushort, 1)
BLOCKS(_uc, uchar, 0)
BLOCKS(_ul, ulong, 3)
