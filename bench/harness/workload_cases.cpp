// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

namespace bench {

std::span<const Case> workload_cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> cases;
    for (const std::vector<Case>* family : {&sequence_cases, &field_cases, &point_cases, &graph_cases})
      cases.insert(cases.end(), family->begin(), family->end());
    return cases;
  }();
  return all;
}

}  // namespace bench
