// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/warp_operations.h"

#include <algorithm>
#include <bit>

namespace clcuda::ptx {
namespace {

class Warp {
 public:
  Warp(Block& block, std::uint32_t first, std::uint32_t lanes)
      : block_(block), first_(first), lanes_(lanes) {}

  std::uint64_t operand(unsigned index, unsigned lane) const {
    return block_.operands[index * block_.item_stride + first_ + lane];
  }
  void give(unsigned lane, std::uint64_t result) { block_.results[first_ + lane] = result; }
  template <typename Each>
  void for_each(Each each) const {
    for (std::uint32_t left = lanes_; left; left &= left - 1)
      each(static_cast<unsigned>(std::countr_zero(left)));
  }
  void give_all(std::uint64_t result) {
    for_each([&](unsigned lane) { give(lane, result); });
  }
  std::uint32_t lanes() const { return lanes_; }
  std::uint32_t ballot() const {
    std::uint32_t bits = 0;
    for_each([&](unsigned lane) { bits |= static_cast<std::uint32_t>(operand(1, lane) & 1) << lane; });
    return bits;
  }

 private:
  Block& block_;
  std::uint32_t first_, lanes_;
};

// shfl: operands mask, value, b, c. The clamp (low 5 bits of c) and the segment mask (bits 8 to 12 of c) bound the source lane. If that is
// out of bounds or absent, a lane keeps its own value.
void shuffle(Wait wait, Warp& warp) {
  warp.for_each([&](unsigned lane) {
    const int b = static_cast<int>(warp.operand(2, lane) & 31),
              c = static_cast<int>(warp.operand(3, lane) & 31);
    const int segment = static_cast<int>(warp.operand(3, lane) >> 8 & 31), own = static_cast<int>(lane);
    const int most = (own & segment) | (c & ~segment), least = own & segment;
    int source = 0;
    bool valid = false;
    switch (wait) {
      case Wait::shuffle_up:
        source = own - b;
        valid = source >= most;
        break;
      case Wait::shuffle_down:
        source = own + b;
        valid = source <= most;
        break;
      case Wait::shuffle_bfly:
        source = own ^ b;
        valid = source <= most;
        break;
      default:
        source = least | (b & ~segment);
        valid = source <= most;
        break;
    }
    if (!valid) source = own;
    const bool present = source >= 0 && source < 32 && (warp.lanes() >> source & 1);
    const std::uint64_t value = warp.operand(1, present ? static_cast<unsigned>(source) : lane) & 0xffffffffu;
    warp.give(lane, value | std::uint64_t{valid} << 32);
  });
}

void match_any(Warp& warp) {
  warp.for_each([&](unsigned lane) {
    std::uint32_t same = 0;
    warp.for_each([&](unsigned other) {
      same |= std::uint32_t{warp.operand(1, other) == warp.operand(1, lane)} << other;
    });
    warp.give(lane, same);
  });
}

void match_all(Warp& warp) {
  const std::uint64_t value = warp.operand(1, static_cast<unsigned>(std::countr_zero(warp.lanes())));
  bool all = true;
  warp.for_each([&](unsigned lane) { all = all && warp.operand(1, lane) == value; });
  warp.give_all(all ? warp.lanes() | std::uint64_t{1} << 32 : 0);
}

std::uint32_t reduce_two(Wait wait, std::uint32_t a, std::uint32_t b) {
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (wait) {
    case Wait::reduce_add:
      return a + b;
    case Wait::reduce_min_unsigned:
      return std::min(a, b);
    case Wait::reduce_max_unsigned:
      return std::max(a, b);
    case Wait::reduce_min_signed:
      return static_cast<std::uint32_t>(std::min(sa, sb));
    case Wait::reduce_max_signed:
      return static_cast<std::uint32_t>(std::max(sa, sb));
    case Wait::reduce_and:
      return a & b;
    case Wait::reduce_or:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce(Wait wait, Warp& warp) {
  const auto leader = static_cast<unsigned>(std::countr_zero(warp.lanes()));
  auto result = static_cast<std::uint32_t>(warp.operand(1, leader));
  warp.for_each([&](unsigned lane) {
    if (lane != leader) result = reduce_two(wait, result, static_cast<std::uint32_t>(warp.operand(1, lane)));
  });
  warp.give_all(result);
}

}  // namespace

void do_warp_operation(Wait wait, Block& block, std::uint32_t first, std::uint32_t lanes) {
  if (lanes == 0) return;
  Warp warp(block, first, lanes);
  switch (wait) {
    case Wait::active_mask:
      return warp.give_all(lanes);
    case Wait::vote_any:
      return warp.give_all(warp.ballot() != 0);
    case Wait::vote_all:
      return warp.give_all(warp.ballot() == lanes);
    case Wait::vote_uni:
      return warp.give_all(warp.ballot() == 0 || warp.ballot() == lanes);
    case Wait::vote_ballot:
      return warp.give_all(warp.ballot());
    case Wait::shuffle_up:
    case Wait::shuffle_down:
    case Wait::shuffle_bfly:
    case Wait::shuffle_idx:
      return shuffle(wait, warp);
    case Wait::match_any:
      return match_any(warp);
    case Wait::match_all:
      return match_all(warp);
    case Wait::elect: {
      const auto leader = static_cast<unsigned>(std::countr_zero(lanes));
      return warp.for_each(
          [&](unsigned lane) { warp.give(lane, leader | std::uint64_t{lane == leader} << 32); });
    }
    case Wait::warp_sync:
      return;
    default:
      return reduce(wait, warp);
  }
}

}  // namespace clcuda::ptx
