// SPDX-License-Identifier: Apache-2.0
#include "spin.h"

#include <algorithm>
#include <chrono>

namespace test {

void SpinTest::SetUp() {
  OpenCL::SetUp();
  if (HasFatalFailure()) return;
  spin_program = build(kSpin);
  spin_kernel = make_kernel(spin_program, "spin");
  spin_memory = make_buffer(std::vector<cl_uint>{1});
  // The first launch takes longer: code and memory are transferred to the device.
  time_of(1000);
  if (!turns_per_ms_) calibrate();
}

Event SpinTest::spin(cl_command_queue where, cl_ulong turns) const {
  Event event;
  set_arguments(spin_kernel, spin_memory, turns);
  const std::size_t one = 1;
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(where, spin_kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
  clFlush(where);
  return event;
}

Event SpinTest::spin_for(cl_command_queue where, unsigned milliseconds) const {
  return spin(where, turns_per_ms_ * milliseconds);
}

double SpinTest::time_of(cl_ulong turns) const {
  const auto begin = std::chrono::steady_clock::now();
  spin(queue, turns);
  clFinish(queue);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void SpinTest::calibrate() const {
  constexpr double kEnough = 20;
  cl_ulong turns = 1000;
  double taken = 0;
  while (taken < kEnough) {
    turns *= 4;
    taken = time_of(turns);
    for (int again = 0; again < 6 && taken >= kEnough; ++again) taken = std::min(taken, time_of(turns));
  }
  turns_per_ms_ = static_cast<cl_ulong>(static_cast<double>(turns) / taken);
}

}  // namespace test
