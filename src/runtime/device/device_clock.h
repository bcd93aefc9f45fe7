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

// An interval of device time that begins with a completed timing event.
struct DeviceSpan {
  cuda::Event begin;
  double nanoseconds = 0;
};

// Converts device time to host time, for profiling (host_time.h). CUDA reports the time between two events as a float in milliseconds,
// which is exact enough only for short intervals. An event's time is therefore computed from the last anchor before it: an event whose
// host time is known. Anchors are taken while there is timed work; the drift between the clocks is measured between anchors.
//
// An anchor's host time has an error of some microseconds. The conversion is nevertheless monotonic, whichever event is converted first:
// where the time extrapolated from one anchor exceeds that of the next, the next interval continues from the extrapolated time and
// approaches its own anchor's time gradually.
class DeviceClock {
 public:
  DeviceClock(const cuda::DeviceContext& context, cuda::EventPool& timing_events)
      : context_(context), timing_events_(timing_events) {}
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  // Takes an anchor if the last one is old. Does not wait for work. The CUDA context is current, here and below.
  void renew();
  // Host time, in nanoseconds, of a completed timing event; the same at each call. Empty if no anchor could be taken so far.
  std::optional<cl_ulong> host_time_of(const cuda::Event& event);
  // Host times of two completed timing events, limited to `earliest` and `latest`.
  struct HostSpan {
    cl_ulong began, ended;
  };
  HostSpan host_span_of(const cuda::Event& start, const cuda::Event& end, cl_ulong earliest, cl_ulong latest);
  // Nanoseconds that the device takes to record an event: the stream's next work starts that much later than the event's time.
  double event_cost() const noexcept { return event_cost_.load(std::memory_order_relaxed); }

 private:
  struct Anchor {
    cuda::Event event;
    double host_ns = 0;
    double error = 0;  // half of the time that taking it took
    double rate = 1;   // host nanoseconds per device nanosecond, from this anchor on
    double ahead = 0;  // how much host_ns was increased to keep the conversion monotonic
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
