// SPDX-License-Identifier: Apache-2.0
// Throughput of typical kernels, each checked before it is timed: those by which the compiler's passes were chosen.
#include "harness/cases.h"

std::vector<bench::Case> bench::all_cases() {
  std::vector<Case> cases;
  for (const std::vector<Case>* family :
       {&elementwise_cases, &matrix_cases, &half_cases, &particle_cases, &collective_cases, &grid_cases,
        &fourier_cases, &byte_cases, &image_cases, &group_cases})
    cases.insert(cases.end(), family->begin(), family->end());
  return cases;
}
