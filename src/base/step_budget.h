// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/work_budget.h"

namespace clcuda {

// During its lifetime, what compilers do for the calling thread counts for one step of a build, together with what they do for other
// threads with the same budget. The budget is not passed to them because a driver's functions are between.
//
//   const auto budget = std::make_shared<WorkBudget>(compilation_limits());
//   in_parallel(modules.size(), [&](std::size_t i) { const StepOfThread step(budget); …cuLinkAddData… });
class StepOfThread {
 public:
  explicit StepOfThread(std::shared_ptr<WorkBudget> budget) noexcept;
  ~StepOfThread();
  StepOfThread(const StepOfThread&) = delete;
  StepOfThread& operator=(const StepOfThread&) = delete;

 private:
  const std::shared_ptr<WorkBudget> budget_;
  StepOfThread* const outer_;
  friend std::shared_ptr<WorkBudget> budget_of_step();
};

// That of the calling thread's StepOfThread; without one, a new budget with the limits of a step (compilation_limits()).
std::shared_ptr<WorkBudget> budget_of_step();

}  // namespace clcuda
