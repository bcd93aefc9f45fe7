// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace soak {

// A piece of work that begins with nothing and leaves nothing but what callbacks are still to end. All of it
// comes from the thread's random numbers.
struct Episode {
  const char* name;
  unsigned weight;  // how often it is chosen, of the sum of all
  void (*run)();
};
// The one that the role names, or any.
const Episode& any_episode();

// With random numbers of its own; what fails meanwhile in this thread names the episode and its seed.
void run_episode(const Episode& episode, std::uint64_t seed);
// Has failures say where they were. Once in a process.
void watch_failures();
bool has_failed();

}  // namespace soak
