// SPDX-License-Identifier: Apache-2.0
// Work-item functions (OpenCL C 6.15.1). In the uniform variant of a kernel everything comes from special registers in 32 bits, so that
// index arithmetic stays in 32 bits; the bounds let the optimiser prove that widening and scaling an id cannot overflow.
#include "launch_record.h"

#define OVERLOAD __attribute__((overloadable))
#define RECORD __clcuda_launch_record()

// The compiler folds __clcuda_uniform_launch() and then a constant dimension, which leaves a single path.
#define BY_DIMENSION(dimension, x, y, z, outside) \
  ((dimension) == 0 ? (x) : (dimension) == 1 ? (y) : (dimension) == 2 ? (z) : (outside))

#define SPECIAL_REGISTERS(name, reg)                                                                   \
  static inline uint name(uint dimension, uint outside) {                                              \
    return BY_DIMENSION(dimension, __nvvm_read_ptx_sreg_##reg##_x(), __nvvm_read_ptx_sreg_##reg##_y(), \
                        __nvvm_read_ptx_sreg_##reg##_z(), outside);                                    \
  }
SPECIAL_REGISTERS(thread, tid)
SPECIAL_REGISTERS(threads, ntid)
SPECIAL_REGISTERS(block_index, ctaid)
SPECIAL_REGISTERS(block_count, nctaid)

// The number of layers of a stacked group (launch_record.h) in `rows` rows. Exact for up to 1024 rows, of which a layer has at most 15.
static inline uint stacked_layers(uint rows) { return rows * RECORD->stacked_rows_inverse >> 16; }

static inline uint local_row(void) {
  const uint row = thread(1, 0) - stacked_layers(thread(1, 0)) * RECORD->stacked_rows;
  __builtin_assume(row < 1024);
  return row;
}
static inline uint local_layer(void) {
  const uint layer = thread(2, 0) + stacked_layers(thread(1, 0));
  __builtin_assume(layer < 1024);
  return layer;
}
static inline uint local_id(uint dimension) {
  if (__clcuda_uniform_launch()) return thread(dimension, 0);
  return BY_DIMENSION(dimension, thread(0, 0), local_row(), local_layer(), 0);
}

static inline uint local_size(uint dimension) {
  if (__clcuda_uniform_launch()) return threads(dimension, 1);
  const uint rows = RECORD->stacked_rows;
  return BY_DIMENSION(dimension, threads(0, 1), rows ? rows : threads(1, 1),
                      rows ? stacked_layers(threads(1, 1)) : threads(2, 1), 1);
}

static inline uint enqueued_local_size(uint dimension) {
  return __clcuda_uniform_launch() ? threads(dimension, 1)
         : dimension < 3           ? RECORD->enqueued_local_size[dimension]
                                   : 1;
}

// A global id, which is below 2^31 in the uniform variant. The size is read first: ptxas then uses it as the uniform operand, at no cost;
// otherwise it uses the block's index, which takes longer.
static inline uint uniform_global_id(uint dimension) {
  const uint size = threads(dimension, 1);
  uint id = block_index(dimension, 0) * size + thread(dimension, 0);
  __builtin_assume(id < 0x80000000u);
  return id;
}

static inline uint uniform_global_size(uint dimension) {
  uint size = block_count(dimension, 1) * threads(dimension, 1);
  __builtin_assume(size < 0x80000000u);
  return size;
}

uint OVERLOAD get_work_dim(void) { return RECORD->work_dim; }

size_t OVERLOAD get_local_id(uint dimension) { return local_id(dimension); }
size_t OVERLOAD get_local_size(uint dimension) { return local_size(dimension); }
size_t OVERLOAD get_enqueued_local_size(uint dimension) { return enqueued_local_size(dimension); }

size_t OVERLOAD get_group_id(uint dimension) {
  if (__clcuda_uniform_launch()) return block_index(dimension, 0);
  return dimension < 3 ? RECORD->group_offset[dimension] + block_index(dimension, 0) : 0;
}

size_t OVERLOAD get_num_groups(uint dimension) {
  if (__clcuda_uniform_launch()) return block_count(dimension, 1);
  return dimension < 3 ? RECORD->group_count[dimension] : 1;
}

size_t OVERLOAD get_global_offset(uint dimension) {
  return __clcuda_uniform_launch() || dimension > 2 ? 0 : RECORD->global_offset[dimension];
}

size_t OVERLOAD get_global_size(uint dimension) {
  if (__clcuda_uniform_launch()) return uniform_global_size(dimension);
  return dimension < 3 ? RECORD->global_size[dimension] : 1;
}

// The id without the offset. All groups before this one have the enqueued size, even if the last ones are smaller.
static inline size_t zero_based_global_id(uint dimension) {
  if (__clcuda_uniform_launch()) return uniform_global_id(dimension);
  return get_group_id(dimension) * enqueued_local_size(dimension) + local_id(dimension);
}

size_t OVERLOAD get_global_id(uint dimension) {
  return zero_based_global_id(dimension) + get_global_offset(dimension);
}

// The same for stacked groups and others.
size_t OVERLOAD get_local_linear_id(void) {
  return (thread(2, 0) * threads(1, 1) + thread(1, 0)) * threads(0, 1) + thread(0, 0);
}

size_t OVERLOAD get_global_linear_id(void) {
  return (zero_based_global_id(2) * get_global_size(1) + zero_based_global_id(1)) * get_global_size(0) +
         zero_based_global_id(0);
}
