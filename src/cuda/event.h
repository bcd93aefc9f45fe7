// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda::cuda {

class EventPool;

// A CUDA event lent by a pool, to which it returns when the last of those that share it goes. A stream's wait takes the recording that
// it sees, so an event may be lent out again while streams still wait for its last recording.
//
//   Event done = pool.take();
//   stream.record(done);
class Event {
 public:
  Event() = default;
  Event(Event&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~Event();
  // The same recording for another owner.
  Event share() const noexcept;

  explicit operator bool() const { return slot_ != nullptr; }
  CUevent handle() const { return slot_->event; }
  // CUDA_SUCCESS, CUDA_ERROR_NOT_READY, or what became of the device.
  CUresult query() const noexcept;
  // Returns when the event has happened (waiting.h).
  CUresult wait() const noexcept;

 private:
  friend class EventPool;
  struct Slot {
    EventPool& pool;
    CUevent event;
    std::atomic<unsigned> owners = 1;
    Slot* next_free = nullptr;
  };
  explicit Event(Slot* slot) : slot_(slot) {}

  Slot* slot_ = nullptr;
};

// The events of one kind in one context. Outlives every event that it lent.
class EventPool {
 public:
  EventPool(const DeviceContext& context, bool timing);
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  Event take();
  const DriverTable& driver() const { return driver_; }
  const DeviceContext& context() const { return context_; }

 private:
  friend class Event;
  void give_back(Event::Slot& slot) noexcept;

  const DeviceContext& context_;
  const DriverTable& driver_;
  const unsigned flags_;
  Mutex mutex_ LOCK_RANK(event_pool);
  std::deque<Event::Slot> slots_ GUARDED_BY(mutex_);
  Event::Slot* free_ GUARDED_BY(mutex_) = nullptr;
};

// Nanoseconds from one recording to another; both have happened and are of timing pools.
double elapsed_ns(const DriverTable& driver, const Event& from, const Event& to);

}  // namespace clcuda::cuda
