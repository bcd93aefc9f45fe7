// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace clcuda::ptx {

// Shared memory begins with what no variable has, as on sm_90: 0 is the null pointer there.
constexpr std::uint32_t kReservedSharedBytes = 1024;

// What generated code sees of the block it runs: read by offset, so the translator and the scheduler both
// include this. Work-items are numbered x fastest; `state`, `operands` and `results` have one entry (per
// operand) for each of `item_stride` items.
struct Block {
  const std::byte* parameters;
  std::byte* shared;   // the shared window's base: `.shared` addresses are offsets from it
  std::byte* local;    // what must outlive a suspension of an item: KernelCode::kept_local_bytes each
  std::byte* globals;  // .global and .const variables of the program
  // null: addresses in registers are offsets from it, which keeps them open to analysis.
  std::byte* address_zero;
  std::byte* slots;         // live values: slot at byte offset o is an array at slots + o · item_stride
  std::uint32_t* state;     // where each item goes on
  std::uint64_t* operands;  // of the operation that an item waits for: operand k at [k · item_stride + item]
  std::uint64_t* results;   // of that operation
  std::uint32_t block_size[3];
  std::uint32_t block_index[3];
  std::uint32_t grid_size[3];
  std::uint32_t item_stride;
  std::uint32_t dynamic_shared_offset;
  std::uint32_t dynamic_shared_bytes;
  std::uint32_t static_shared_bytes;
  std::uint32_t worker;  // stands for %smid
  std::uint64_t grid_number;
  class DeviceLaunches* launches;  // of the grid
};

// A region: runs the work-items of rows [row_begin, row_end) (a row is one y and z), x in [x_begin, x_end),
// from one suspension to the next, and leaves in `state` where each goes on.
using RegionEntry = void (*)(const Block* block, std::uint32_t row_begin, std::uint32_t row_end,
                             std::uint32_t x_begin, std::uint32_t x_end);

constexpr std::uint32_t kStateFinished = 0xffffffffu;
// Of a region: its items leave it in different states, and it writes down which. A region whose items all
// leave it in the same state writes nothing.
constexpr std::uint32_t kStateVaries = 0xfffffffeu;

// What an item waits for when a region leaves it in state k > 0 (states are numbered from 1; state 0 is the
// kernel's beginning).
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
// A mask operand of an unsynchronised vote: whichever lanes are there.
constexpr std::uint64_t kWhoeverIsThere = 0;

}  // namespace clcuda::ptx
