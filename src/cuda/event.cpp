// SPDX-License-Identifier: Apache-2.0
#include "cuda/event.h"

#include "cuda/error.h"
#include "cuda/waiting.h"

namespace clcuda::cuda {

Event::~Event() {
  if (event_) pool_->give_back(event_);
}

CUresult Event::query() const noexcept { return pool_->driver().cuEventQuery(event_); }

CUresult Event::wait() const noexcept {
  return cuda::wait(
      pool_->context().waiting(), [this] { return query(); },
      [this] { return pool_->driver().cuEventSynchronize(event_); });
}

EventPool::EventPool(const DeviceContext& context, bool timing)
    : context_(context),
      driver_(context.driver()),
      flags_(timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING) {}

Event EventPool::take() {
  {
    MutexLock lock(mutex_);
    if (!free_.empty()) {
      CUevent event = free_.back();
      free_.pop_back();
      return {*this, event};
    }
  }
  const Current current(context_);
  CUevent event = nullptr;
  check(driver_, driver_.cuEventCreate(&event, flags_), "cuEventCreate");
  return {*this, event};
}

void EventPool::give_back(CUevent event) noexcept {
  try {
    MutexLock lock(mutex_);
    free_.push_back(event);
  } catch (...) {
    driver_.cuEventDestroy(event);
  }
}

double elapsed_ns(const DriverTable& driver, const Event& from, const Event& to) {
  float milliseconds = 0;
  check(driver, driver.cuEventElapsedTime(&milliseconds, from.handle(), to.handle()), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e6;
}

}  // namespace clcuda::cuda
