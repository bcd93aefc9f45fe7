// SPDX-License-Identifier: Apache-2.0
// Properties of sub-groups: the numbers of their work-items, barriers, independent forward progress.
#include "collective_test.h"

namespace clcuda::test {
namespace {

class SubGroups : public testing::Test {
 protected:
  Random random{std::random_device{}()};

  void SetUp() override {
    if (!device_has_extension("cl_khr_subgroups"))
      GTEST_SKIP() << "the device does not have cl_khr_subgroups";
  }
};

TEST_F(SubGroups, NumbersFollowTheLocalLinearId) {
  DeviceProgram program(std::string(kPositionSource) + R"(
kernel void numbers(global uint* out) {
  global uint* mine = out + 6 * position();
  mine[0] = get_sub_group_size();
  mine[1] = get_max_sub_group_size();
  mine[2] = get_num_sub_groups();
  mine[3] = get_enqueued_num_sub_groups();
  mine[4] = get_sub_group_id();
  mine[5] = get_sub_group_local_id();
})");
  for (int launch = 0; launch < 20; ++launch) {
    const Range range = random_range(random, 1024, launch % 2 == 0 || !device_has_non_uniform_work_groups());
    std::vector<cl_uint> out(6 * range.total());
    program.run("numbers", range, {out});
    const std::size_t enqueued = range.local[0] * range.local[1] * range.local[2];
    for (const auto& group : Groups(range).work_groups) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        const cl_uint* mine = &out[6 * group[i]];
        ASSERT_EQ(mine[0], std::min<std::size_t>(32, group.size() - i / 32 * 32)) << range.text();
        ASSERT_EQ(mine[1], 32U);
        ASSERT_EQ(mine[2], (group.size() + 31) / 32) << range.text();
        ASSERT_EQ(mine[3], (enqueued + 31) / 32) << range.text();
        ASSERT_EQ(mine[4], i / 32) << range.text();
        ASSERT_EQ(mine[5], i % 32) << range.text();
      }
    }
  }
}

// A loop with a collective function executes its exact trip count, even if it was unrolled.
TEST_F(SubGroups, CollectiveFunctionsInLoops) {
  DeviceProgram program(R"(
kernel void least(global const uint* values, global const uint* trips, global uint* out) {
  uint value = values[get_global_id(0)], sum = 0, n = *trips;
  for (uint i = 0; i < n; ++i) { sum += sub_group_reduce_min(value); value = value * 5 + 1; }
  out[get_global_id(0)] = sum;
}
kernel void least_of_those_left(global const uint* values, global uint* out) {
  uint value = values[get_global_id(0)], sum = 0, n = get_sub_group_local_id() % 7;
  for (uint i = 0; i < n; ++i) { sum += sub_group_non_uniform_reduce_min(value); value = value * 5 + 1; }
  out[get_global_id(0)] = sum;
})");
  Range range;
  range.local[0] = 45;
  range.global[0] = 90;
  std::vector<cl_uint> values(range.total()), out(range.total());
  for (cl_uint& value : values) value = static_cast<cl_uint>(random());
  // The expected sum for item `i` of a sub-group if item `k` executes `trips(k)` iterations.
  const auto check = [&](const auto& trips) {
    for (const auto& group : Groups(range).sub_groups) {
      std::vector<cl_uint> sums(group.size()), now;
      for (const std::size_t item : group) now.push_back(values[item]);
      for (cl_uint trip = 0; trip < 10; ++trip) {
        cl_uint least = ~cl_uint{0};
        for (std::size_t i = 0; i < group.size(); ++i)
          if (trip < trips(i)) least = std::min(least, now[i]);
        for (std::size_t i = 0; i < group.size(); ++i) {
          if (trip < trips(i)) sums[i] += least;
          now[i] = now[i] * 5 + 1;
        }
      }
      for (std::size_t i = 0; i < group.size(); ++i) ASSERT_EQ(out[group[i]], sums[i]) << i;
    }
  };
  for (cl_uint trips = 0; trips < 10; ++trips) {
    std::vector<cl_uint> count{trips};
    program.run("least", range, {values, count, out});
    check([&](std::size_t) { return trips; });
  }
  program.run("least_of_those_left", range, {values, out});
  check([](std::size_t i) { return i % 7; });
}

// Each lane reads what another one wrote before the barrier, in global and local memory, repeatedly.
TEST_F(SubGroups, BarrierOrdersMemory) {
  DeviceProgram program(R"(
kernel void ring(global uint* data, global uint* out) {
  local uint shared[256];
  size_t i = get_global_id(0), l = get_local_id(0);
  size_t first = l - get_sub_group_local_id();
  size_t next = first + (get_sub_group_local_id() + 1) % get_sub_group_size();
  uint value = i;
  for (int round = 0; round < 8; ++round) {
    shared[l] = value * 3 + round;
    data[i] = value * 5 + round;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    value = shared[next] ^ data[i - l + next];
    if (round & 1) sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    else sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
  }
  out[i] = value;
})");
  for (const std::size_t size : {1U, 7U, 32U, 45U, 256U}) {
    Range range;
    range.local[0] = size;
    range.global[0] = size * 3;
    std::vector<cl_uint> data(range.total()), out(range.total());
    program.run("ring", range, {data, out});
    std::vector<cl_uint> value(range.total());
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<cl_uint>(i);
    for (cl_uint round = 0; round < 8; ++round) {
      std::vector<cl_uint> after(value.size());
      for (const auto& group : Groups(range).sub_groups) {
        for (std::size_t i = 0; i < group.size(); ++i) {
          const cl_uint next = value[group[(i + 1) % group.size()]];
          after[group[i]] = (next * 3 + round) ^ (next * 5 + round);
        }
      }
      value = after;
    }
    EXPECT_EQ(out, value) << "work-groups of " << size;
  }
}

// A lane waits for another lane of its sub-group in a different branch: both must make progress.
TEST_F(SubGroups, LanesProgressIndependently) {
  DeviceProgram program(R"(
kernel void relay(global atomic_int* turn, global int* order) {
  global atomic_int* mine = turn + get_group_id(0);
  int l = get_local_id(0), last = get_local_size(0) - 1;
  int me = last - l;
  while (atomic_load_explicit(mine, memory_order_relaxed, memory_scope_device) != me) {
  }
  order[get_global_id(0)] = me * 10;
  atomic_store_explicit(mine, me + 1, memory_order_relaxed, memory_scope_device);
})");
  Range range;
  range.local[0] = 40;
  range.global[0] = 80;
  std::vector<cl_int> turn(2), order(range.total());
  program.run("relay", range, {turn, order});
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(39 - i % 40) * 10);
  EXPECT_EQ(turn, (std::vector<cl_int>{40, 40}));
}

// Sub-groups of a work-group pass a token: none may depend on the end of another.
TEST_F(SubGroups, SubGroupsProgressIndependently) {
  DeviceProgram program(R"(
kernel void relay(global atomic_int* turn, global int* order) {
  global atomic_int* mine = turn + get_group_id(0);
  int me = get_num_sub_groups() - 1 - get_sub_group_id();
  if (get_sub_group_local_id() == 0) {
    while (atomic_load_explicit(mine, memory_order_relaxed, memory_scope_device) != me) {
    }
    atomic_store_explicit(mine, me + 1, memory_order_relaxed, memory_scope_device);
  }
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  order[get_global_id(0)] = sub_group_broadcast(me, 0);
})");
  Range range;
  range.local[0] = 200;
  range.global[0] = 400;
  std::vector<cl_int> turn(2), order(range.total());
  program.run("relay", range, {turn, order});
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(6 - i % 200 / 32));
}

}  // namespace
}  // namespace clcuda::test
