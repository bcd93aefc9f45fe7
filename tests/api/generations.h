// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// The attributes of a generation of GPUs that clcuda queries and that differ.
struct Generation {
  int capability;  // × 10
  int local_memory, threads_per_multiprocessor;
  bool integrated = false, concurrent_managed_access = true, pageable_memory_access = false;

  std::string name() const;
};

// The CPU devices of this program, in order; each has the attributes of one of these (generations_driver.cpp). The first is too old. With
// CAPABILITIES=61,75 in the environment, only these two.
const std::vector<Generation>& generations();

// The latest values that were passed to the driver.
struct LastCalls {
  std::string ptx;        // that was linked
  int linked_for = 0;     // compute capability × 10
  bool overlaps = false;  // the launch may begin before the preceding kernel has ended
};
extern LastCalls last_calls;
