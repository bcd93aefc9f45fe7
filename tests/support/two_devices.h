// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "support/opencl.h"

namespace test {

// A context of the first two devices with an in-order queue on each. To be used only if offered() returns true.
struct TwoDevices {
  static bool offered() { return test::devices().size() >= 2; }

  // `swapped`: the second device comes first.
  explicit TwoDevices(bool swapped = false)
      : devices{test::devices()[swapped ? 1 : 0], test::devices()[swapped ? 0 : 1]} {
    cl_int error = 1;
    context = clCreateContext(nullptr, 2, devices.data(), nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    for (std::size_t i = 0; i < 2; ++i) {
      queues[i] = clCreateCommandQueueWithProperties(context, devices[i], nullptr, &error);
      CL_EXPECT(CL_SUCCESS, error);
    }
  }

  const std::array<cl_device_id, 2> devices;
  Context context;
  std::array<Queue, 2> queues;
};

}  // namespace test
