// SPDX-License-Identifier: Apache-2.0
// Votes, elections and ballots: cl_khr_subgroups, cl_khr_subgroup_non_uniform_vote, cl_khr_subgroup_ballot.
#include "collective_test.h"

namespace clcuda::test {
namespace {

using Items = std::vector<std::size_t>;
using Values = std::vector<cl_int>;

int count_true(const Values& values, const Items& items) {
  return static_cast<int>(
      std::count_if(items.begin(), items.end(), [&](std::size_t i) { return values[i] & 15; }));
}

std::vector<Step<cl_int>> vote_steps(const std::string& prefix) {
  return {{prefix + "all(x & 15) != 0",
           [](const auto& values, const auto& items, std::size_t) {
             return count_true(values, items) == static_cast<int>(items.size());
           }},
          {prefix + "any(!(x & 15)) != 0", [](const auto& values, const auto& items, std::size_t) {
             return count_true(values, items) != static_cast<int>(items.size());
           }}};
}

TEST(SubGroupVotes, AllAndAny) {
  if (!device_has_extension("cl_khr_subgroups")) GTEST_SKIP();
  Random random{std::random_device{}()};
  run_uniform(vote_steps("sub_group_"), false, random, 12);
}

TEST(SubGroupVotes, NonUniform) {
  if (!device_has_extension("cl_khr_subgroup_non_uniform_vote")) GTEST_SKIP();
  Random random{std::random_device{}()};
  auto steps = vote_steps("sub_group_non_uniform_");
  steps.push_back({"sub_group_elect() != 0", [](const auto&, const auto& items, std::size_t at) {
                     return static_cast<int>(items.front() == at);
                   }});
  for (const char* type :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}) {
    steps.push_back({std::string("sub_group_non_uniform_all_equal((") + type + ")((x & 15) == 0)) != 0",
                     [](const auto& values, const auto& items, std::size_t) {
                       const int set = count_true(values, items);
                       return static_cast<int>(set == 0 || set == static_cast<int>(items.size()));
                     }});
  }
  // Compared by value: zeros of both signs are equal, and a NaN is not equal to itself.
  steps.push_back({"sub_group_non_uniform_all_equal(x & 1 ? 0.0f : -0.0f) != 0",
                   [](const auto&, const auto&, std::size_t) { return 1; }});
  steps.push_back({"sub_group_non_uniform_all_equal(as_float(0x7fc00000)) != 0",
                   [](const auto&, const auto&, std::size_t) { return 0; }});
  run_uniform(steps, false, random, 6);
  run_divergent(steps, random, 12);
}

// A word with `bit(lane)` for each participant.
template <class Bit>
cl_uint word(const Items& items, Bit bit) {
  cl_uint result = 0;
  for (const std::size_t item : items) result |= cl_uint{bit(item)} << item % 32;
  return result;
}

// In a single work-group, or ones whose size is a multiple of 32, a position's lane is its remainder by 32.
TEST(SubGroupBallot, BallotsAndMasks) {
  if (!device_has_extension("cl_khr_subgroup_ballot")) GTEST_SKIP();
  Random random{std::random_device{}()};
  DeviceProgram program(R"(
void ballots(global uint* out, int x) {
  uint4 votes = sub_group_ballot(x & 1);
  out[0] = votes.x; out[1] = votes.y | votes.z | votes.w;
  out[2] = sub_group_ballot_bit_count(votes);
  out[3] = sub_group_ballot_inclusive_scan(votes);
  out[4] = sub_group_ballot_exclusive_scan(votes);
  out[5] = votes.x ? sub_group_ballot_find_lsb(votes) : 99;
  out[6] = votes.x ? sub_group_ballot_find_msb(votes) : 99;
  out[7] = sub_group_inverse_ballot(votes) != 0;
  out[8] = sub_group_ballot_bit_extract(votes, x >> 1 & 31) != 0;
  uint4 masks[5] = {get_sub_group_eq_mask(), get_sub_group_ge_mask(), get_sub_group_gt_mask(), get_sub_group_le_mask(),
                    get_sub_group_lt_mask()};
  for (int i = 0; i < 5; ++i) { out[9 + i] = masks[i].x; out[1] |= masks[i].y | masks[i].z | masks[i].w; }
}
kernel void divergent(global const int* in, global const int* route, global uint* out) {
  size_t i = get_global_id(0);
  if (route[i] == 0) ballots(out + 14 * i, in[i]);
  else if (route[i] == 1) ballots(out + 14 * i, in[i]);
})");
  for (int launch = 0; launch < 16; ++launch) {
    Range range;
    range.global[0] = range.local[0] = 1 + random() % 256;
    Values in(range.total()), route(range.total());
    std::vector<cl_uint> out(14 * range.total());
    for (auto& value : in) value = static_cast<cl_int>(random());
    for (auto& way : route) way = static_cast<cl_int>(random() % (1 + launch % 4));
    program.run("divergent", range, {in, route, out});
    for (const auto& group : Groups(range).sub_groups) {
      for (const std::size_t at : group) {
        if (route[at] > 1) continue;
        Items items;
        for (const std::size_t i : group) {
          if (route[i] == route[at]) items.push_back(i);
        }
        const unsigned lane = at % 32;
        const cl_uint votes = word(items, [&](std::size_t i) { return (in[i] & 1) != 0; });
        const cl_uint below = (cl_uint{1} << lane) - 1, own = cl_uint{1} << lane;
        const cl_uint lowest = votes ? static_cast<cl_uint>(__builtin_ctz(votes)) : 99;
        const cl_uint highest = votes ? static_cast<cl_uint>(31 - __builtin_clz(votes)) : 99;
        const auto bits = [](cl_uint mask) { return static_cast<cl_uint>(__builtin_popcount(mask)); };
        const std::vector<cl_uint> expected = {votes,
                                               0,
                                               bits(votes),
                                               bits(votes & (below | own)),
                                               bits(votes & below),
                                               lowest,
                                               highest,
                                               votes >> lane & 1,
                                               votes >> (in[at] >> 1 & 31) & 1,
                                               own,
                                               ~below,
                                               ~below & ~own,
                                               below | own,
                                               below};
        ASSERT_EQ(std::vector<cl_uint>(out.begin() + 14 * at, out.begin() + 14 * (at + 1)), expected)
            << "item " << at;
      }
    }
  }
}

}  // namespace
}  // namespace clcuda::test
