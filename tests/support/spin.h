// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

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

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    spin_program = build(kSpin);
    spin_kernel = make_kernel(spin_program, "spin");
    spin_memory = make_buffer(std::vector<cl_uint>{1});
    // The first launch is not typical: code and memory come to the device.
    spin(queue, 1000);
    clFinish(queue);
    for (turns_per_ms_ = 1000;; turns_per_ms_ *= 4) {
      const auto begin = std::chrono::steady_clock::now();
      spin(queue, turns_per_ms_);
      clFinish(queue);
      const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
      if (taken.count() < 20) continue;
      turns_per_ms_ = static_cast<cl_ulong>(static_cast<double>(turns_per_ms_) / taken.count());
      break;
    }
  }
  Event spin(cl_command_queue where, cl_ulong turns) const {
    Event event;
    set_arguments(spin_kernel, spin_memory, turns);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, spin_kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
    clFlush(where);
    return event;
  }
  Event spin_for(cl_command_queue where, unsigned milliseconds) const {
    return spin(where, turns_per_ms_ * milliseconds);
  }

  Program spin_program;
  Kernel spin_kernel;
  Buffer spin_memory;

 private:
  cl_ulong turns_per_ms_ = 0;
};

}  // namespace test
