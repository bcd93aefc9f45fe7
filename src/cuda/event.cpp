// SPDX-License-Identifier: Apache-2.0
#include "cuda/event.h"

#include "cuda/error.h"
#include "cuda/waiting.h"

namespace clcuda::cuda {

Event::~Event() {
  if (slot_ && slot_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) slot_->pool.give_back(*slot_);
}

Event Event::share() const noexcept {
  slot_->owners.fetch_add(1, std::memory_order_relaxed);
  return Event(slot_);
}

void Event::record_in(CUstream stream) const {
  const DriverTable& driver = slot_->pool.driver();
  check(driver, driver.cuEventRecord(handle(), stream), "cuEventRecord");
}

CUresult Event::query() const noexcept { return slot_->pool.driver().cuEventQuery(slot_->event); }

CUresult Event::wait() const noexcept {
  return cuda::wait(
      slot_->pool.context().waiting(), [this] { return query(); },
      [this] { return slot_->pool.driver().cuEventSynchronize(slot_->event); });
}

EventPool::EventPool(const DeviceContext& context, bool timing)
    : context_(context),
      driver_(context.driver()),
      flags_(timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING) {}

Event EventPool::take() {
  {
    MutexLock lock(mutex_);
    if (Event::Slot* slot = free_) {
      free_ = slot->next_free;
      slot->owners.store(1, std::memory_order_relaxed);
      return Event(slot);
    }
  }
  const Current current(context_);
  CUevent event = nullptr;
  check(driver_, driver_.cuEventCreate(&event, flags_), "cuEventCreate");
  try {
    MutexLock lock(mutex_);
    return Event(&slots_.emplace_back(*this, event));
  } catch (...) {
    driver_.cuEventDestroy(event);
    throw;
  }
}

void EventPool::give_back(Event::Slot& slot) noexcept {
  MutexLock lock(mutex_);
  slot.next_free = std::exchange(free_, &slot);
}

double elapsed_ns(const DriverTable& driver, const Event& from, const Event& to) {
  float milliseconds = 0;
  check(driver, driver.cuEventElapsedTime(&milliseconds, from.handle(), to.handle()), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e6;
}

}  // namespace clcuda::cuda
