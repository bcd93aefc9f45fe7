// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: clocks advance, and their two forms tell the same time.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace clcuda::test
