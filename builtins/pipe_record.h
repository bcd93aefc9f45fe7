// SPDX-License-Identifier: Apache-2.0
#pragma once

// A pipe in device memory: this head, then a slot for each packet that it can hold, then (aligned to 128) the
// packets. Made by the runtime, all zero but for the last two members; used by builtins/pipe.cl.
//
// Packets are numbered from the pipe's beginning; number n lies at place n modulo max_packets. A number goes
// through
//   written.reserved ≥ written.committed ≥ read.reserved ≥ read.committed ≥ written.reserved − max_packets
// in the order of reservations, though they may be committed in any order: a reservation that is committed
// leaves its number in the slot of its first packet, and whoever commits the earliest one moves the count
// over all that follow it. Nobody waits.
#ifdef __OPENCL_VERSION__
typedef ulong clcuda_pipe_u64;
typedef uint clcuda_pipe_u32;
#else
#include <cstdint>
using clcuda_pipe_u64 = std::uint64_t;
using clcuda_pipe_u32 = std::uint32_t;
#endif

// What writers, or readers, have done.
struct clcuda_pipe_end {
  clcuda_pipe_u64 reserved;   // packets
  clcuda_pipe_u64 committed;  // packets, without a gap
};

struct clcuda_pipe {
  struct clcuda_pipe_end written, read;
  clcuda_pipe_u32 packet_size;  // bytes
  clcuda_pipe_u32 max_packets;
};

struct clcuda_pipe_slot {
  clcuda_pipe_u64
      committed;  // 2 · number + 1 for a write reservation that begins here, + 2 for a read reservation
  clcuda_pipe_u64 count;  // packets of the reservation that begins here
};

// Where the packets begin.
static inline clcuda_pipe_u64 clcuda_pipe_data_offset(clcuda_pipe_u32 max_packets) {
  clcuda_pipe_u64 end =
      sizeof(struct clcuda_pipe) + max_packets * (clcuda_pipe_u64)sizeof(struct clcuda_pipe_slot);
  return (end + 127) / 128 * 128;
}
