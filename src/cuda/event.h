// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda::cuda {

class EventPool;

// A CUDA event lent by a pool, to which it returns when it goes. A stream's wait takes the recording that it sees, so an event may
// be lent out again while streams still wait for its last recording.
//
//   Event done = pool.take();
//   stream.record(done);
class Event {
 public:
  Event() = default;
  Event(Event&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(event_, other.event_);
    return *this;
  }
  ~Event();

  explicit operator bool() const { return event_ != nullptr; }
  CUevent handle() const { return event_; }
  // CUDA_SUCCESS, CUDA_ERROR_NOT_READY, or what became of the device.
  CUresult query() const noexcept;
  // Returns when the event has happened (waiting.h).
  CUresult wait() const noexcept;

 private:
  friend class EventPool;
  Event(EventPool& pool, CUevent event) : pool_(&pool), event_(event) {}

  EventPool* pool_ = nullptr;
  CUevent event_ = nullptr;
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
  void give_back(CUevent event) noexcept;

  const DeviceContext& context_;
  const DriverTable& driver_;
  const unsigned flags_;
  Mutex mutex_;
  std::vector<CUevent> free_ GUARDED_BY(mutex_);
};

// Nanoseconds from one recording to another; both have happened and are of timing pools.
double elapsed_ns(const DriverTable& driver, const Event& from, const Event& to);

}  // namespace clcuda::cuda
