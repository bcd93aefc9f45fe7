// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

namespace bench {

std::span<const Case> kernel_cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> cases;
    for (const std::vector<Case>* family :
         {&elementwise_cases, &matrix_cases, &half_cases, &particle_cases, &collective_cases, &grid_cases,
          &fourier_cases, &byte_cases, &image_cases, &group_cases}) {
      cases.insert(cases.end(), family->begin(), family->end());
    }
    return cases;
  }();
  return all;
}

}  // namespace bench
