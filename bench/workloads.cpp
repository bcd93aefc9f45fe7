// SPDX-License-Identifier: Apache-2.0
// Throughput of kernels from other benchmark suites, which show whether the compiler's passes help programs in general; each is checked
// before it is measured.
#include "harness/cases.h"

std::vector<bench::Case> bench::all_cases() {
  std::vector<Case> cases;
  for (const std::vector<Case>* family :
       {&kSequenceCases, &kFieldCases, &kPointCases, &kGraphCases, &kAccumulatorCases})
    cases.insert(cases.end(), family->begin(), family->end());
  return cases;
}
