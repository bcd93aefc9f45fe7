// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: clocks advance, and the two forms of each function agree.
#include <gtest/gtest.h>

#include <algorithm>

#include "device_program.h"

namespace clcuda::test {
namespace {

TEST(KernelClock, AdvancesInBothForms) {
  if (!device_has_extension("cl_khr_kernel_clock"))
    GTEST_SKIP() << "the device does not have cl_khr_kernel_clock";
  for (const char* scope : {"device", "work_group", "sub_group"}) {
    const std::string name = scope;
    ASSERT_TRUE(device_has_feature("__opencl_c_kernel_clock_scope_" + name));
    DeviceProgram program(
        "kernel void clocks(global ulong* out, global uint* work) {\n  out[0] = clock_read_" + name +
        "();\n  uint x = 1;\n  for (int i = 0; i < 20000; ++i) x = x * work[x & 7] + 3;\n  work[0] = x;\n"
        "  uint2 parts = clock_read_hilo_" +
        name + "();\n  out[1] = (ulong)parts.hi << 32 | parts.lo;\n  out[2] = clock_read_" + name + "();\n}");
    std::vector<cl_ulong> out(3);
    std::vector<cl_uint> work = {1, 5, 7, 9, 11, 13, 17, 19};
    program.run("clocks", Range{}, {out, work});
    EXPECT_LT(out[0], out[1]) << scope;
    EXPECT_LE(out[1], out[2]) << scope;
    EXPECT_LT(out[2] - out[1], 1000000000U) << scope;
  }
}

// The clock advances from one work-item to a later one, which is ordered after it by a flag (device), a barrier (work-group) or a shuffle
// (sub-group).
TEST(KernelClock, GoesOnFromOneWorkItemToTheNext) {
  if (!device_has_extension("cl_khr_kernel_clock"))
    GTEST_SKIP() << "the device does not have cl_khr_kernel_clock";
  constexpr std::size_t kItems = 256, kGroup = 64, kRounds = 20;
  DeviceProgram program(R"(
    kernel void device_(global ulong* times, volatile global atomic_uint* next, volatile global atomic_uint* turn) {
      if (get_local_id(0) != 0) return;
      uint mine = atomic_fetch_add(next, 1);  // whoever is ahead runs already
      while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != mine);
      times[mine] = clock_read_device();
      atomic_store_explicit(turn, mine + 1, memory_order_release, memory_scope_device);
    }
    kernel void work_group(global ulong* times) {
      local ulong at;
      for (uint round = 0; round < 20; ++round) {
        if (get_local_id(0) == round) at = clock_read_work_group();
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong later = clock_read_work_group();
        times[round * get_global_size(0) + get_global_id(0)] = later - at;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
    kernel void sub_group(global ulong* times) {
      for (uint round = 0; round < 20; ++round) {
        ulong at = sub_group_broadcast(clock_read_sub_group(), round % get_sub_group_size());
        times[round * get_global_size(0) + get_global_id(0)] = clock_read_sub_group() - at;
      }
    })");
  const Range range{1, {kItems, 1, 1}, {kGroup, 1, 1}};
  constexpr std::size_t kGroups = 100;
  std::vector<cl_ulong> times(kGroups);
  std::vector<cl_uint> next(1), turn(1);
  program.run("device_", {1, {kGroups * kGroup, 1, 1}, {kGroup, 1, 1}}, {times, next, turn});
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  for (const char* name : {"work_group", "sub_group"}) {
    std::vector<cl_ulong> differences(kRounds * kItems);
    program.run(name, range, {differences});
    for (const cl_ulong difference : differences) ASSERT_LT(difference, 60'000'000'000U) << name;
  }
}

}  // namespace
}  // namespace clcuda::test
