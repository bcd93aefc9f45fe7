// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "opencl.h"

namespace test {

// A kernel that keeps the device busy for a time that the host chooses, calibrated on the device under test.
class SpinTest : public OpenCL {
 protected:
  static constexpr const char* kSpin =
      "kernel void spin(global uint* out, ulong turns) {\n"
      "  uint x = *out;\n"
      "  for (ulong i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u + (x >> 7);\n"
      "  *out = x;\n"
      "}\n";

  void SetUp() override;
  Event spin(cl_command_queue where, cl_ulong turns) const;
  Event spin_for(cl_command_queue where, unsigned milliseconds) const;

  Program spin_program;
  Kernel spin_kernel;
  Buffer spin_memory;

 private:
  double time_of(cl_ulong turns) const;
  // Done once for all tests, with the minimum of several times: other processes can delay a launch.
  void calibrate() const;
  static inline cl_ulong turns_per_ms_ = 0;
};

}  // namespace test
