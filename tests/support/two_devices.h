// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "support/programs.h"

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

// Tests of such a context, which are skipped where there is one device only.
class TwoDevicesTest : public Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    if (!TwoDevices::offered()) GTEST_SKIP() << "one device only";
    TwoDevices made;
    both = made.devices;
    context = std::move(made.context);
    queues = std::move(made.queues);
    queue = make_queue(0);
  }
  template <class T = cl_uint>
  std::vector<T> read(int on, cl_mem buffer, std::size_t count) const {
    std::vector<T> values(count);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[on], buffer, CL_TRUE, 0, count * sizeof(T),
                                              values.data(), 0, nullptr, nullptr));
    return values;
  }
  std::array<cl_device_id, 2> both;
  std::array<Queue, 2> queues;
};

}  // namespace test
