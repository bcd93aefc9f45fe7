// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace soak {

// A unit of work that starts from nothing and leaves nothing, except what callbacks will still finish. It is determined by the thread's
// random numbers.
struct Episode {
  const char* name;
  unsigned weight;  // its probability, relative to the sum of all
  void (*run)();
};
// The episode that the role names, or a random one.
const Episode& any_episode();

// Runs an episode with its own random numbers; failures in this thread are reported with its name and seed.
void run_episode(const Episode& episode, std::uint64_t seed);
// Runs a kernel on each device that has more private memory than random kernels need (at most 5 KiB of some hundred). A GPU's driver keeps
// private memory for as many work-items as the device can execute at a time, of the size that any kernel of the context has needed so far:
// memory would grow at any time that a random kernel needs more than all before.
void use_most_private_memory();
// Makes failures report the episode. To be called once per process.
void watch_failures();
bool has_failed();

}  // namespace soak
