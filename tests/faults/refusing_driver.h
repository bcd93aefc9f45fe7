// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faulty_driver.h"
#include "support/opencl.h"

namespace faults {

// Two CPU devices without the program cache, regardless of the environment.
template <class Fixture>
class RefusingDriver : public Fixture {
 protected:
  void SetUp() override {
    setenv("CLCUDA_DEVICES", "cpu,cpu", 1);
    setenv("CLCUDA_CACHE", "0", 1);
    Fixture::SetUp();
  }
  void TearDown() override {
    driver::disarm();
    Fixture::TearDown();
  }
};

}  // namespace faults
