// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <deque>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda {

// Some time of the device's: from an event of a timing pool on, which has happened.
struct DeviceSpan {
  cuda::Event begin;
  double nanoseconds = 0;
};

// Brings a device's clock to the host's, for profiling (device_time.h). CUDA tells the time between two events as a float of
// milliseconds, so an event is placed by one of many anchors, the last one before it: events whose host time is known, taken while there is
// work that is timed. The clocks' drift against each other is measured between anchors.
//
// Anchors are known to some microseconds only. All the same, of two events the later one is never placed earlier, whichever is asked about
// first and when: where the line from one anchor leads beyond what the next one says, that goes on from the line, and comes back to what it
// says within a while.
class DeviceClock {
 public:
  DeviceClock(const cuda::DeviceContext& context, cuda::EventPool& timing_events)
      : context_(context), timing_events_(timing_events) {}
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  // Takes an anchor if the last one is old. Waits for no work; the CUDA context is current, here and below.
  void renew();
  // When a timing event happened, which it has: always the same. Empty where no anchor could be taken so far.
  std::optional<cl_ulong> host_time_of(const cuda::Event& event);
  // What the device takes to record an event, in nanoseconds: so much later than the event it goes on with its stream.
  double event_cost() const noexcept { return event_cost_.load(std::memory_order_relaxed); }

 private:
  struct Anchor {
    cuda::Event event;
    double host_ns = 0;
    double error = 0;  // half of the time in which it was taken
    double rate = 1;   // host nanoseconds in one of the device's, from here on
    double ahead = 0;  // so much later than it was taken to be: what is made good
  };
  bool happens_by(const cuda::Event& event, cl_ulong latest) const;
  std::optional<Anchor> take_anchor(cl_ulong patience) REQUIRES(mutex_);
  void measure_event_cost() REQUIRES(mutex_);
  void add(Anchor fresh) REQUIRES(mutex_);
  double rate_at(const Anchor& fresh) const REQUIRES(mutex_);
  double since(const Anchor& anchor, const cuda::Event& event) const;
  const Anchor& last_before(const cuda::Event& event) const REQUIRES(mutex_);
  static double place(const Anchor& anchor, double since) noexcept;

  const cuda::DeviceContext& context_;
  cuda::EventPool& timing_events_;
  std::atomic<cl_ulong> renew_at_ = 0;
  std::atomic<double> event_cost_ = 0;
  Mutex mutex_ LOCK_RANK(device_clock);
  std::unique_ptr<cuda::Stream> stream_ GUARDED_BY(mutex_);
  std::deque<Anchor> anchors_ GUARDED_BY(mutex_);  // by host_ns
};

}  // namespace clcuda
