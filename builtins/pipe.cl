// SPDX-License-Identifier: Apache-2.0
// Pipes (OpenCL C 6.15.14 and 6.15.19.6). Clang turns the language's functions into calls of these, with the size and alignment of a packet
// as arguments. A reservation id is the number of its first packet + 1; 0 is the invalid one.
#include "pipe_record.h"
#include "sub_group.h"

typedef __global struct clcuda_pipe* pipe_t;
typedef __global struct clcuda_pipe_slot* slot_t;
typedef __global struct clcuda_pipe_end* end_t;
enum end { writing, reading };

#define DEVICE memory_scope_device
#define ATOMIC(place) ((volatile __global atomic_ulong*)&(place))

static inline end_t end_of(pipe_t fifo, enum end end) {
  return end == writing ? &fifo->written : &fifo->read;
}

static inline slot_t slot_of(pipe_t fifo, ulong number) {
  return (slot_t)(fifo + 1) + number % fifo->max_packets;
}

static inline __global uchar* packet_of(pipe_t fifo, ulong number, uint size) {
  return (__global uchar*)fifo + clcuda_pipe_data_offset(fifo->max_packets) +
         number % fifo->max_packets * size;
}

static inline ulong mark(ulong number, enum end end) { return 2 * number + (end == writing ? 1 : 2); }

static inline reserve_id_t to_id(ulong id) { return *(__private reserve_id_t*)&id; }
static inline ulong from_id(reserve_id_t id) { return *(__private ulong*)&id; }

// If the kernel's packet size is not the pipe's, the pipe counts as both empty and full.
static ulong reserve(pipe_t fifo, enum end end, uint count, uint size) {
  if (count == 0 || size != fifo->packet_size) return 0;
  ulong first = atomic_load_explicit(ATOMIC(end_of(fifo, end)->reserved), memory_order_relaxed, DEVICE);
  for (;;) {
    ulong most = end == writing
                     ? atomic_load_explicit(ATOMIC(fifo->read.committed), memory_order_acquire, DEVICE) +
                           fifo->max_packets
                     : atomic_load_explicit(ATOMIC(fifo->written.committed), memory_order_acquire, DEVICE);
    if (first + count > most) return 0;
    if (atomic_compare_exchange_strong_explicit(ATOMIC(end_of(fifo, end)->reserved), &first, first + count,
                                                memory_order_relaxed, memory_order_relaxed, DEVICE))
      break;
  }
  atomic_store_explicit(ATOMIC(slot_of(fifo, first)->count), (ulong)count, memory_order_relaxed, DEVICE);
  return first + 1;
}

// If two work-items commit adjacent reservations at the same time, the fences make sure that at least one sees the other's mark. A
// work-item that sees no mark gives up only if the exchange finds the count unchanged.
static void commit(pipe_t fifo, enum end end, ulong id) {
  if (id == 0) return;
  volatile __global atomic_ulong* done = ATOMIC(end_of(fifo, end)->committed);
  atomic_store_explicit(ATOMIC(slot_of(fifo, id - 1)->committed), mark(id - 1, end), memory_order_release,
                        DEVICE);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, DEVICE);
  ulong at = atomic_load_explicit(done, memory_order_relaxed, DEVICE);
  for (;;) {
    slot_t slot = slot_of(fifo, at);
    bool committed =
        atomic_load_explicit(ATOMIC(slot->committed), memory_order_acquire, DEVICE) == mark(at, end);
    ulong count = committed ? atomic_load_explicit(ATOMIC(slot->count), memory_order_relaxed, DEVICE) : 0;
    bool moved = atomic_compare_exchange_strong_explicit(done, &at, at + count, memory_order_acq_rel,
                                                         memory_order_acquire, DEVICE);
    if (moved && !committed) return;
    if (moved) at += count;
  }
}

#define COPY_AS(T)                                                                                   \
  for (uint i = 0; i < size / sizeof(T); ++i) ((__generic T*)to)[i] = ((const __generic T*)from)[i]; \
  break;
static void copy_packet(__generic void* to, const __generic void* from, uint size, uint align) {
  switch (align) {
    case 1:
      COPY_AS(uchar)
    case 2:
      COPY_AS(ushort)
    case 4:
      COPY_AS(uint)
    case 8:
      COPY_AS(ulong)
    default:
      COPY_AS(ulong2)
  }
}

int __write_pipe_2(pipe_t fifo, __generic void* packet, uint size, uint align) {
  ulong id = reserve(fifo, writing, 1, size);
  if (id == 0) return -1;
  copy_packet(packet_of(fifo, id - 1, size), packet, size, align);
  commit(fifo, writing, id);
  return 0;
}

int __read_pipe_2(pipe_t fifo, __generic void* packet, uint size, uint align) {
  ulong id = reserve(fifo, reading, 1, size);
  if (id == 0) return -1;
  copy_packet(packet, packet_of(fifo, id - 1, size), size, align);
  commit(fifo, reading, id);
  return 0;
}

int __write_pipe_4(pipe_t fifo, reserve_id_t id, uint index, __generic void* packet, uint size, uint align) {
  if (from_id(id) == 0) return -1;
  copy_packet(packet_of(fifo, from_id(id) - 1 + index, size), packet, size, align);
  return 0;
}

int __read_pipe_4(pipe_t fifo, reserve_id_t id, uint index, __generic void* packet, uint size, uint align) {
  if (from_id(id) == 0) return -1;
  copy_packet(packet, packet_of(fifo, from_id(id) - 1 + index, size), size, align);
  return 0;
}

// All work-items of a work-group or sub-group call these; one of them acts for all.
#define CONVERGENT __attribute__((convergent))
static inline bool is_first(void) { return local_linear_id() == 0; }

#define RESERVATIONS(verb, end)                                                                            \
  reserve_id_t __reserve_##verb##_pipe(pipe_t fifo, uint count, uint size, uint align) {                   \
    (void)align;                                                                                           \
    return to_id(reserve(fifo, end, count, size));                                                         \
  }                                                                                                        \
  void __commit_##verb##_pipe(pipe_t fifo, reserve_id_t id, uint size, uint align) {                       \
    (void)size, (void)align;                                                                               \
    commit(fifo, end, from_id(id));                                                                        \
  }                                                                                                        \
  reserve_id_t CONVERGENT __work_group_reserve_##verb##_pipe(pipe_t fifo, uint count, uint size,           \
                                                             uint align) {                                 \
    (void)align;                                                                                           \
    ulong id = is_first() ? reserve(fifo, end, count, size) : 0;                                           \
    return to_id(work_group_broadcast(id, 0, 0, 0));                                                       \
  }                                                                                                        \
  void CONVERGENT __work_group_commit_##verb##_pipe(pipe_t fifo, reserve_id_t id, uint size, uint align) { \
    (void)size, (void)align;                                                                               \
    __syncthreads();                                                                                       \
    if (is_first()) commit(fifo, end, from_id(id));                                                        \
  }                                                                                                        \
  reserve_id_t CONVERGENT __sub_group_reserve_##verb##_pipe(pipe_t fifo, uint count, uint size,            \
                                                            uint align) {                                  \
    (void)align;                                                                                           \
    ulong id = lane() == 0 ? reserve(fifo, end, count, size) : 0;                                          \
    return to_id(exchange(from_lane, ALL, id, 0));                                                         \
  }                                                                                                        \
  void CONVERGENT __sub_group_commit_##verb##_pipe(pipe_t fifo, reserve_id_t id, uint size, uint align) {  \
    (void)size, (void)align;                                                                               \
    __nvvm_bar_warp_sync(ALL);                                                                             \
    if (lane() == 0) commit(fifo, end, from_id(id));                                                       \
  }
RESERVATIONS(write, writing)
RESERVATIONS(read, reading)

bool __attribute__((overloadable)) is_valid_reserve_id(reserve_id_t id) { return from_id(id) != 0; }

// The number of packets that a reader could reserve now. Between the two loads, more packets than the pipe holds can pass through it.
static uint available(pipe_t fifo) {
  ulong taken = atomic_load_explicit(ATOMIC(fifo->read.reserved), memory_order_acquire, DEVICE);
  ulong written = atomic_load_explicit(ATOMIC(fifo->written.committed), memory_order_relaxed, DEVICE);
  return (uint)min(written - taken, (ulong)fifo->max_packets);
}

#define QUERIES(access)                                                      \
  uint __get_pipe_num_packets_##access(pipe_t fifo, uint size, uint align) { \
    (void)size, (void)align;                                                 \
    return available(fifo);                                                  \
  }                                                                          \
  uint __get_pipe_max_packets_##access(pipe_t fifo, uint size, uint align) { \
    (void)size, (void)align;                                                 \
    return fifo->max_packets;                                                \
  }
QUERIES(ro)
QUERIES(wo)
