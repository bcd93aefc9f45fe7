// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_clock.h"

#include <algorithm>

#include "cuda/error.h"
#include "runtime/device/device_time.h"

namespace clcuda {
namespace {

// Anchors serve for a quarter of a second, in which clocks drift apart by some microseconds, and are kept for about an hour.
constexpr cl_ulong kLife = 250'000'000;
constexpr std::size_t kKept = 16'384;
// The first ones, between which the drift becomes known.
constexpr cl_ulong kFirstLife = 20'000'000;
constexpr std::size_t kFirst = 8;
// Drift is measured over at least this span, and to this precision.
constexpr double kDriftSpan = 60e6, kDriftError = 5e-5;
// An anchor that was long in the taking is rather early than late: no command has ended in the future.
constexpr cl_ulong kMostLate = 5'000;
// A line that leads beyond the next anchor is led back in this time; not if it is so far off: then something is wrong with it.
constexpr double kReturn = 250e6, kMostAhead = 1e6;
// Streams may share a hardware queue: an event that is held up behind a kernel for so long is given up.
constexpr cl_ulong kPatience = 100'000;
// Where other processes take turns on the device, that may be every event. Then one is waited for when times are asked for.
constexpr cl_ulong kLatePatience = 20'000'000;
constexpr int kTries = 4;

}  // namespace

void DeviceClock::renew() {
  const cl_ulong now = host_time();
  if (now < renew_at_.load(std::memory_order_relaxed)) return;
  MutexLock lock(mutex_);
  if (now < renew_at_.load(std::memory_order_relaxed)) return;
  if (!stream_) {
    // Of the highest priority: such streams do not share a hardware queue with ours for work.
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

// Asks for it until then, at least once.
bool DeviceClock::happens_by(const cuda::Event& event, cl_ulong latest) const {
  CUresult result = event.query();
  while (result == CUDA_ERROR_NOT_READY && host_time() < latest) result = event.query();
  if (result == CUDA_ERROR_NOT_READY) return false;
  cuda::check(context_.driver(), result, "cuEventQuery");
  return true;
}

// The best of some tries: an event that was seen soonest after it was recorded.
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

// Against an anchor that is far enough away for how well the two are known; a second is better than what is just enough.
double DeviceClock::rate_at(const Anchor& fresh) const {
  for (const double least : {1e9, kDriftSpan}) {
    const auto old = std::find_if(anchors_.rbegin(), anchors_.rend(), [&](const Anchor& anchor) {
      const double span = fresh.host_ns - anchor.host_ns;
      return span >= least && span * kDriftError >= fresh.error + anchor.error;
    });
    if (old == anchors_.rend()) continue;
    const double on_device = since(*old, fresh.event);
    const double rate = on_device > 0 ? (fresh.host_ns - (old->host_ns - old->ahead)) / on_device : 1;
    // No clock is that wrong: an anchor is.
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

// Or the first there is. Far from the latest one, the event's place is known roughly at first.
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
  // Mostly without another question to the driver.
  const double from_latest = since(anchors_.back(), event);
  if (from_latest >= 0) return at(anchors_.back(), from_latest);
  const Anchor& anchor = last_before(event);
  return at(anchor, since(anchor, event));
}

}  // namespace clcuda
