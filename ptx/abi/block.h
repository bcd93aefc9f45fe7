// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace clcuda::ptx {

// The first bytes of shared memory, which no variable occupies, as on sm_90: the shared address 0 is a null pointer.
constexpr std::uint32_t kReservedSharedBytes = 1024;

// The running block, as generated code sees it. Generated code reads members by their offsets, so the translator and the scheduler both
// include this header. Work-items are numbered with x fastest; `state`, `operands` and `results` have one entry (for each operand) for
// each of `item_stride` items. Sizes are in bytes. Made by Worker (executor/worker.h); for one thread at a time.
struct Block {
  const std::byte* parameters;
  std::byte* shared;   // the shared window's base: `.shared` addresses are offsets from it
  std::byte* local;    // what must outlive a suspension of an item: KernelCode::kept_local_bytes each
  std::byte* globals;  // .global and .const variables of the program
  // null: addresses in registers are offsets from it, which keeps them open to analysis.
  std::byte* address_zero;
  std::byte* slots;         // live values: slot at byte offset o is an array at slots + o · item_stride
  std::uint32_t* state;     // where each item continues
  std::uint64_t* operands;  // of the operation that an item waits for: operand k at [k · item_stride + item]
  std::uint64_t* results;   // of that operation
  std::uint32_t block_size[3];
  std::uint32_t block_index[3];
  std::uint32_t grid_size[3];
  std::uint32_t item_stride;
  std::uint32_t dynamic_shared_offset;
  std::uint32_t dynamic_shared_bytes;
  std::uint32_t static_shared_bytes;
  std::uint32_t worker;  // the value of %smid
  std::uint64_t grid_number;
  class DeviceLaunches* launches;  // of the grid
};

// The function of a region, which is the code of a kernel from one suspension to the next (translate/regions/region_splitter.h). Runs the
// work-items of rows [row_begin, row_end) (a row is one y and z), x in [x_begin, x_end), and writes to `state` where each continues.
using RegionEntry = void (*)(const Block* block, std::uint32_t row_begin, std::uint32_t row_end,
                             std::uint32_t x_begin, std::uint32_t x_end);

// The state of a work-item that has ended.
constexpr std::uint32_t kStateFinished = 0xffffffffu;
// In KernelCode::exits, for a region that its items leave in different states, which it writes to `state`. A region that all items leave
// in the same state writes nothing.
constexpr std::uint32_t kStateVaries = 0xfffffffeu;

// What an item that a region leaves in state k > 0 waits for, with the operands that it has written. States are numbered from 1; state 0
// is the kernel's beginning.
enum class Wait : std::uint8_t {
  barrier,         // operands: barrier number, thread count or 0
  barrier_arrive,  // the same, without waiting
  barrier_popc,    // … , predicate
  barrier_and,
  barrier_or,
  warp_sync,  // mask
  active_mask,
  vote_any,  // mask, predicate
  vote_all,
  vote_uni,
  vote_ballot,
  shuffle_up,  // mask, value, b, c
  shuffle_down,
  shuffle_bfly,
  shuffle_idx,
  match_any,  // mask, value
  match_all,
  reduce_add,  // mask, value
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_min_signed,
  reduce_max_signed,
  reduce_and,
  reduce_or,
  reduce_xor,
  elect,          // mask
  yield,          // a loop that waits for another item
  block_barrier,  // barrier 0 of all items, without operands
};
constexpr unsigned kWaitOperands = 4;
// The mask operand of a vote without .sync: the lanes that have arrived.
constexpr std::uint64_t kWhoeverIsThere = 0;

}  // namespace clcuda::ptx
