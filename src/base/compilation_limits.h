// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "base/work_budget.h"

namespace clcuda {

// The limits of each of the two steps of a build, to PTX and to machine code, as CLCUDA_BUILD_TIME and CLCUDA_BUILD_MEMORY set them. By
// default, a build should end within 20 s on two processors and in 2 GB, which is exceeded only if both steps reach their limits.
WorkBudget::Limits compilation_limits();

// The processor time after which a thread that compiles is interrupted, because it does not notice that its budget is used up.
// Nothing where budgets are not enforced.
std::optional<std::chrono::nanoseconds> longest_compilation();

// How many times as long as by default a build may take; at least 1. The limit on the size of programs grows with it.
unsigned compilation_scale();

}  // namespace clcuda
