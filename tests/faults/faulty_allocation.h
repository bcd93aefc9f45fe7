// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Replaces operator new of this program. One allocation of the library fails: one in an OpenCL call of the scenario or on a thread of the
// library. Allocations of scenarios, the driver and the compiler are not counted and do not fail: the driver is not part of the library,
// and memory limits of compilations are tested elsewhere.
namespace faults::allocation {

// Makes the n-th allocation from now on fail, counted from 1; 0: none.
void arm(std::uint64_t n);

struct Outcome {
  std::uint64_t allocations = 0;
  bool failed = false;
};
Outcome disarm();

}  // namespace faults::allocation
