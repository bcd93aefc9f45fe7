// SPDX-License-Identifier: Apache-2.0
// Throughput of kernels as other suites have them, which show whether the passes are a good choice for programs at large; each is checked
// before it is timed.
#include "harness/cases.h"

std::vector<bench::Case> bench::all_cases() {
  std::vector<Case> cases;
  for (const std::vector<Case>* family : {&kSequenceCases, &kFieldCases, &kPointCases, &kGraphCases})
    cases.insert(cases.end(), family->begin(), family->end());
  return cases;
}
