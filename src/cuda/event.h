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

// A CUDA event from a pool, to which it returns when its last owner is destroyed. A stream that waits for an event waits for the recording
// at the time of the call, so an event may be reused while streams still wait for its previous recording.
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
  // Another owner of the same recording.
  Event share() const noexcept;

  explicit operator bool() const { return slot_ != nullptr; }
  CUevent handle() const { return slot_->event; }
  // Records it in a stream of the application; in one of ours, Stream::record() does. The context is current. Throws DriverError.
  void record_in(CUstream stream) const;
  // CUDA_SUCCESS, CUDA_ERROR_NOT_READY, or the device's error.
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

// The events of one context, with or without timing. Must outlive all of its events. Thread-safe.
class EventPool {
 public:
  EventPool(const DeviceContext& context, bool timing);  // `timing`: elapsed_ns() can use the events
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  // The context is current. Throws DriverError.
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

// Nanoseconds between two recordings, which must have happened and must be from pools with `timing`.
double elapsed_ns(const DriverTable& driver, const Event& from, const Event& to);

}  // namespace clcuda::cuda
