// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// operator new of this program, which fails once where the library asks for memory: in a call of a scenario's
// or on a thread of the library's. What scenarios, the driver and the compiler ask for is not counted and
// does not fail: the driver is not ours, and compilations have bounds, and tests, of their own.
namespace faults::allocation {

// The n-th from now on, the first is 1; 0: none.
void arm(std::uint64_t n);

struct Outcome {
  std::uint64_t allocations = 0;
  bool failed = false;
};
Outcome disarm();

}  // namespace faults::allocation
