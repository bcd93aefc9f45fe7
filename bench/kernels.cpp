// SPDX-License-Identifier: Apache-2.0
// Throughput of typical kernels, with which the compiler's passes were tuned; each is checked before it is measured.
#include "harness/cases.h"

std::vector<bench::Case> bench::all_cases() {
  std::vector<Case> cases;
  for (const std::vector<Case>* family :
       {&kElementwiseCases, &kMatrixCases, &kHalfCases, &kParticleCases, &kCollectiveCases, &kGridCases,
        &kFourierCases, &kByteCases, &kImageCases, &kGroupCases})
    cases.insert(cases.end(), family->begin(), family->end());
  return cases;
}
