// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "ranks.h"

namespace heat {

// Seconds per step, of the slowest rank; `run` is called with the number of steps on all ranks at once.
template <typename Run>
double time_of(const Ranks& ranks, int steps, Run run) {
  MPI_Barrier(ranks.all());
  const auto start = std::chrono::steady_clock::now();
  run(steps);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return ranks.largest(time.count()) / steps;
}

}  // namespace heat
