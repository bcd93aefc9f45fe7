// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_clock.h"

#include <algorithm>

#include "base/host_time.h"
#include "cuda/error.h"

namespace clcuda {
namespace {

// An anchor is used for a quarter of a second, in which the clocks drift apart by some microseconds, and kept for about an hour.
constexpr cl_ulong kLife = 250'000'000;
constexpr std::size_t kKept = 16'384;
// The first anchors are taken more often, so that the drift is soon known.
constexpr cl_ulong kFirstLife = 20'000'000;
constexpr std::size_t kFirst = 8;
// Drift is measured over at least this span, and to this precision.
constexpr double kDriftSpan = 60e6, kDriftError = 5e-5;
// The latest time after its recording at which an anchor's event is assumed to have happened. If taking the anchor took long, its time
// should be too early rather than too late, so that no command ends in the future.
constexpr cl_ulong kMostLate = 5'000;
// If the time extrapolated from an anchor exceeds that of the next, the excess is reduced to 0 over kReturn. An excess of more than
// kMostAhead is an error and ignored.
constexpr double kReturn = 250e6, kMostAhead = 1e6;
// Streams may share a hardware queue, so a kernel may delay an anchor's event; after this time the event is abandoned.
constexpr cl_ulong kPatience = 100'000;
// If the device is time-sliced with other processes, every event may be delayed. host_time_of() then waits this long for one.
constexpr cl_ulong kLatePatience = 20'000'000;
constexpr int kTries = 4;

}  // namespace

void DeviceClock::renew() {
  const cl_ulong now = host_time();
  if (now < renew_at_.load(std::memory_order_relaxed)) return;
  MutexLock lock(mutex_);
  if (now < renew_at_.load(std::memory_order_relaxed)) return;
  if (!stream_) {
    // The highest priority: such a stream does not share a hardware queue with the queues' streams.
    int least = 0, greatest = 0;
    const cuda::DriverTable& driver = context_.driver();
    cuda::check(driver, driver.cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");
    stream_ = std::make_unique<cuda::Stream>(timing_events_, greatest);
  }
  if (event_cost_ == 0) measure_event_cost();
  std::optional<Anchor> fresh = take_anchor(kPatience);
  renew_at_ = now + (anchors_.size() < kFirst ? kFirstLife : kLife);
  if (fresh) add(std::move(*fresh));
}

void DeviceClock::add(Anchor fresh) {
  fresh.rate = rate_at(fresh);
  if (!anchors_.empty()) {
    const Anchor& before = anchors_.back();
    const double line = place(before, since(before, fresh.event));
    if (line > fresh.host_ns && line - fresh.host_ns < kMostAhead) {
      fresh.ahead = line - fresh.host_ns;
      fresh.host_ns = line;
    }
  }
  anchors_.push_back(std::move(fresh));
  if (anchors_.size() > kKept) anchors_.pop_front();
}

// Polls the event until `latest`, at least once.
bool DeviceClock::happens_by(const cuda::Event& event, cl_ulong latest) const {
  CUresult result = event.query();
  while (result == CUDA_ERROR_NOT_READY && host_time() < latest) result = event.query();
  if (result == CUDA_ERROR_NOT_READY) return false;
  cuda::check(context_.driver(), result, "cuEventQuery");
  return true;
}

// The best of several tries: the event whose completion was seen soonest after it was recorded.
std::optional<DeviceClock::Anchor> DeviceClock::take_anchor(cl_ulong patience) {
  std::optional<Anchor> best;
  cl_ulong best_span = patience;
  for (int i = 0; i < kTries; ++i) {
    Anchor anchor{.event = timing_events_.take()};
    const cl_ulong before = host_time();
    stream_->record(anchor.event);
    if (!happens_by(anchor.event, before + patience)) break;
    const cl_ulong span = host_time() - before;
    anchor.host_ns = static_cast<double>(before) + static_cast<double>(std::min(span / 2, kMostLate));
    anchor.error = static_cast<double>(span) / 2;
    if (span < best_span) {
      best_span = span;
      best = std::move(anchor);
    }
  }
  return best;
}

// The shortest time between two events with nothing between them.
void DeviceClock::measure_event_cost() {
  for (int i = 0; i < kTries; ++i) {
    const cuda::Event first = timing_events_.take(), second = timing_events_.take();
    const cl_ulong before = host_time();
    stream_->record(first);
    stream_->record(second);
    if (!happens_by(second, before + kPatience)) return;
    const double cost = cuda::elapsed_ns(context_.driver(), first, second);
    event_cost_ = event_cost_ == 0 ? cost : std::min(event_cost_.load(), cost);
  }
}

// Measured from an earlier anchor, far enough away that the errors of both matter little; preferably at least a second away.
double DeviceClock::rate_at(const Anchor& fresh) const {
  for (const double least : {1e9, kDriftSpan}) {
    const auto old = std::find_if(anchors_.rbegin(), anchors_.rend(), [&](const Anchor& anchor) {
      const double span = fresh.host_ns - anchor.host_ns;
      return span >= least && span * kDriftError >= fresh.error + anchor.error;
    });
    if (old == anchors_.rend()) continue;
    const double on_device = since(*old, fresh.event);
    const double rate = on_device > 0 ? (fresh.host_ns - (old->host_ns - old->ahead)) / on_device : 1;
    // No clock drifts more than that, so one of the anchors must be wrong.
    if (rate > 0.999 && rate < 1.001) return rate;
  }
  return anchors_.empty() ? 1 : anchors_.back().rate;
}

double DeviceClock::since(const Anchor& anchor, const cuda::Event& event) const {
  return cuda::elapsed_ns(context_.driver(), anchor.event, event);
}

double DeviceClock::place(const Anchor& anchor, double since) noexcept {
  return anchor.host_ns + anchor.rate * since - anchor.ahead * std::clamp(since / kReturn, 0.0, 1.0);
}

// The last anchor before the event, or else the first of all. The search starts from a time extrapolated from the latest anchor, which is
// inexact far away from it.
const DeviceClock::Anchor& DeviceClock::last_before(const cuda::Event& event) const {
  const double from_latest = since(anchors_.back(), event);
  if (from_latest >= 0) return anchors_.back();
  auto after = std::ranges::upper_bound(anchors_, place(anchors_.back(), from_latest), {}, &Anchor::host_ns);
  while (after != anchors_.end() && since(*after, event) >= 0) ++after;
  while (after != anchors_.begin() && since(*std::prev(after), event) < 0) --after;
  return after == anchors_.begin() ? *after : *std::prev(after);
}

std::optional<cl_ulong> DeviceClock::host_time_of(const cuda::Event& event) {
  MutexLock lock(mutex_);
  if (anchors_.empty()) {
    std::optional<Anchor> late = take_anchor(kLatePatience);
    if (!late) return {};
    add(std::move(*late));
  }
  const auto at = [](const Anchor& anchor, double since) {
    return static_cast<cl_ulong>(std::max(0.0, place(anchor, since)));
  };
  // The usual case, without another driver call.
  const double from_latest = since(anchors_.back(), event);
  if (from_latest >= 0) return at(anchors_.back(), from_latest);
  const Anchor& anchor = last_before(event);
  return at(anchor, since(anchor, event));
}

// The duration is measured in device time if it is short enough. The span stays between `earliest` and `latest`, whatever the error of the
// clock. The end event of one command may be the start event of the next: a span ends no later than the host time of `end`, and begins no
// earlier than that of `start` unless it would then exceed `latest`. If a busy device has not let an anchor be taken, the span begins at
// `earliest`.
DeviceClock::HostSpan DeviceClock::host_span_of(const cuda::Event& start, const cuda::Event& end,
                                                cl_ulong earliest, cl_ulong latest) {
  const std::optional<cl_ulong> began = host_time_of(start), ended = host_time_of(end);
  constexpr double kLongSpan = 1e9;
  double span = cuda::elapsed_ns(context_.driver(), start, end);
  if (began && ended && span > kLongSpan) span = static_cast<double>(*ended) - static_cast<double>(*began);
  span = std::max(0.0, span);
  const double cost = std::min(event_cost(), span);
  const auto duration = static_cast<cl_ulong>(span - cost);
  const cl_ulong last_begin = latest - std::min(latest, duration);
  HostSpan placed{earliest, earliest + duration};
  if (began && ended) {
    placed.began = std::max(earliest, std::min({*began + static_cast<cl_ulong>(cost), *ended, last_begin}));
    placed.ended = std::min(*ended, placed.began + duration);
  }
  placed.ended = std::max(placed.began, std::min(latest, placed.ended));
  return placed;
}

}  // namespace clcuda
