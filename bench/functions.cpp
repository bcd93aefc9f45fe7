// SPDX-License-Identifier: Apache-2.0
// Throughput of the mathematical functions.
#include "harness/cases.h"

std::vector<bench::Case> bench::all_cases() { return kFunctionCases; }
