// SPDX-License-Identifier: Apache-2.0
#include "base/step_budget.h"

#include <utility>

#include "base/compilation_limits.h"

namespace clcuda {
namespace {

constinit thread_local StepOfThread* step_of_thread = nullptr;

}  // namespace

StepOfThread::StepOfThread(std::shared_ptr<WorkBudget> budget) noexcept
    : budget_(std::move(budget)), outer_(std::exchange(step_of_thread, this)) {}

StepOfThread::~StepOfThread() { step_of_thread = outer_; }

std::shared_ptr<WorkBudget> budget_of_step() {
  return step_of_thread ? step_of_thread->budget_ : std::make_shared<WorkBudget>(compilation_limits());
}

}  // namespace clcuda
