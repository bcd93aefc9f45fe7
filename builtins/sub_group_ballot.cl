// SPDX-License-Identifier: Apache-2.0
// Ballots and masks (cl_khr_subgroup_ballot). The maximum sub-group size is 32: one word of the four.
#include "sub_group.h"

static inline uint4 bitfield(uint word) { return (uint4)(word, 0, 0, 0); }

uint4 COLLECTIVE sub_group_ballot(int predicate) {
  return bitfield(__nvvm_vote_ballot_sync(active(), predicate != 0));
}

int OVERLOAD sub_group_ballot_bit_extract(uint4 value, uint index) { return value.x >> (index & 31) & 1; }
int OVERLOAD sub_group_inverse_ballot(uint4 value) { return value.x >> lane() & 1; }
uint OVERLOAD sub_group_ballot_bit_count(uint4 value) { return __builtin_popcount(value.x); }
uint OVERLOAD sub_group_ballot_exclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & lanes_below());
}
uint OVERLOAD sub_group_ballot_inclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & __nvvm_read_ptx_sreg_lanemask_le());
}
// If no bit is set, the result is unspecified, but it must not be undefined to the compiler: the program may ignore it.
uint OVERLOAD sub_group_ballot_find_lsb(uint4 value) { return value.x ? lowest(value.x) : WARP_SIZE; }
uint OVERLOAD sub_group_ballot_find_msb(uint4 value) { return value.x ? highest(value.x) : WARP_SIZE; }

uint4 OVERLOAD get_sub_group_eq_mask(void) { return bitfield(__nvvm_read_ptx_sreg_lanemask_eq()); }
uint4 OVERLOAD get_sub_group_ge_mask(void) { return bitfield(__nvvm_read_ptx_sreg_lanemask_ge()); }
uint4 OVERLOAD get_sub_group_gt_mask(void) { return bitfield(__nvvm_read_ptx_sreg_lanemask_gt()); }
uint4 OVERLOAD get_sub_group_le_mask(void) { return bitfield(__nvvm_read_ptx_sreg_lanemask_le()); }
uint4 OVERLOAD get_sub_group_lt_mask(void) { return bitfield(__nvvm_read_ptx_sreg_lanemask_lt()); }
