// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/queue_timeline.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/host_time.h"
#include "base/log.h"
#include "base/process_end.h"
#include "base/trace/call.h"
#include "base/trace/thread_track.h"
#include "base/trace/trace.h"
#include "base/trace/writer.h"
#include "runtime/device/device_resources.h"
#include "runtime/queue/dependency_arrows.h"

namespace clcuda {
namespace {

// The most commands of a queue that may be in the timeline before they are complete.
constexpr std::size_t kMostPending = 16'384;

// The timelines of all queues, which the writer's thread polls, and the user events that were set since its last write.
class Timelines {
 public:
  static Timelines& get() {
    static auto& timelines = *new Timelines;
    return timelines;
  }

  std::shared_ptr<QueueTimeline> add(DeviceResources& resources, bool in_order) {
    MutexLock lock(mutex_);
    const auto [device, is_new] =
        processes_.try_emplace(&resources, static_cast<std::uint32_t>(processes_.size()));
    // Devices are shown as processes; their numbers are larger than any process id.
    constexpr std::uint32_t kDevices = 1u << 30;
    const std::uint32_t process = kDevices | static_cast<std::uint32_t>(getpid()) << 8 | device->second;
    if (is_new) {
      trace::EventText text;
      text.name_process(process, resources.device().root().name(), 1 + device->second);
      trace::append(text);
    }
    return queues_.emplace_back(
        std::make_shared<QueueTimeline>(resources, in_order, process, ++queue_count_));
  }

  void add_user_event(std::uint64_t number, const DependencyArrows::Place& place) {
    MutexLock lock(mutex_);
    if (user_events_.size() < kMostPending) user_events_.emplace_back(number, place);
  }

 private:
  Timelines() {
    trace::add_source([this](trace::EventText& text) { write(text); });
    // Runs before the driver's own exit handler, after which the times of commands cannot be queried.
    at_process_end([] { trace::flush(); });
  }

  void write(trace::EventText& text) {
    std::vector<std::shared_ptr<QueueTimeline>> queues;
    std::vector<std::pair<std::uint64_t, DependencyArrows::Place>> user_events;
    {
      MutexLock lock(mutex_);
      queues = queues_;
      user_events.swap(user_events_);
    }
    for (const auto& [number, place] : user_events) arrows_.add(text, number, place, {});
    for (const auto& queue : queues) {
      try {
        queue->write(text, arrows_);
      } catch (const std::exception& error) {  // of a driver that is shutting down
        log::debug("commands are not in the timeline: {}", error.what());
      }
    }
    queues.clear();
    MutexLock lock(mutex_);
    std::erase_if(queues_, [](const auto& queue) { return queue.use_count() == 1 && queue->is_finished(); });
  }

  DependencyArrows arrows_;  // of the writer's thread
  Mutex mutex_ LOCK_RANK(trace_queues);
  std::map<const DeviceResources*, std::uint32_t> processes_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<QueueTimeline>> queues_ GUARDED_BY(mutex_);
  std::vector<std::pair<std::uint64_t, DependencyArrows::Place>> user_events_ GUARDED_BY(mutex_);
  std::uint32_t queue_count_ GUARDED_BY(mutex_) = 0;
};

std::string size_text(const Size3& size, unsigned dimensions) {
  std::string text = std::to_string(size[0]);
  for (unsigned d = 1; d < dimensions; ++d) text += " x " + std::to_string(size[d]);
  return text;
}

}  // namespace

void TimelineEntry::describe(const CommandDetails& details) {
  type = details.type;
  kernel = details.kernel;
  if (details.range) range = *details.range;
  bytes = details.bytes;
}

std::shared_ptr<QueueTimeline> QueueTimeline::make(DeviceResources& resources, bool in_order) {
  return trace::recording() ? Timelines::get().add(resources, in_order) : nullptr;
}

QueueTimeline::QueueTimeline(DeviceResources& resources, bool in_order, std::uint32_t process,
                             std::uint32_t number)
    : resources_(resources), in_order_(in_order), process_(process), number_(number) {}

std::uint64_t QueueTimeline::next_number() noexcept {
  static constinit std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::uint64_t QueueTimeline::admit() noexcept {
  if (!trace::recording() || !allowance_.take()) return 0;
  if (pending_.load(std::memory_order_relaxed) < kMostPending) return next_number();
  trace::count_left_out(1);
  return 0;
}

void QueueTimeline::add(TimelineEntry entry) noexcept {
  try {
    MutexLock lock(mutex_);
    added_.push_back(std::move(entry));
    pending_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::exception&) {
    trace::count_left_out(1);
  }
}

bool QueueTimeline::is_finished() const noexcept { return pending_.load(std::memory_order_relaxed) == 0; }

void QueueTimeline::take_added() {
  {
    MutexLock lock(mutex_);
    added_.swap(taken_);
  }
  std::ranges::move(taken_, std::back_inserter(waiting_));
  taken_.clear();
}

// In an in-order queue, no command after an incomplete one is complete.
void QueueTimeline::write(trace::EventText& text, DependencyArrows& arrows) {
  take_added();
  if (const std::uint64_t commands = allowance_.refill())
    text.add_note(first_row(text), host_time(), fmt::format("{} commands left out", commands));
  if (waiting_.empty()) return;
  cuda::Current current(resources_.context());
  const auto write_ended = [&](TimelineEntry& entry) { return write_if_over(entry, text, arrows); };
  if (in_order_)
    while (!waiting_.empty() && write_ended(waiting_.front())) waiting_.pop_front();
  else
    std::erase_if(waiting_, write_ended);
}

// Returns false while the command is not complete. Commands that a lost device has not completed are left out, or have no end.
bool QueueTimeline::write_if_over(TimelineEntry& entry, trace::EventText& text, DependencyArrows& arrows) {
  const CUresult end = entry.end ? entry.end.query() : CUDA_SUCCESS;
  if (end == CUDA_ERROR_NOT_READY && !resources_.lost()) {
    if (!entry.shown) show_if_long(entry, text);
    return false;
  }
  pending_.fetch_sub(1, std::memory_order_relaxed);
  const cl_ulong begun = entry.times.started;
  if (end != CUDA_SUCCESS || !place(entry)) return true;
  if (entry.shown) {
    entry.times.started = begun;
    end_shown(entry, text);
  } else {
    entry.shown = row_for(entry.times, text);
    write(text, entry, *entry.shown, &trace::EventText::add);
  }
  if (entry.has_event || !entry.waits_for.empty())
    arrows.add(text, entry.number, {*entry.shown, entry.times.started, entry.times.ended}, entry.waits_for);
  return true;
}

// Writes the beginning of a command that has been running for a while, so that the timeline shows what ran if the device hangs or the
// process is killed.
void QueueTimeline::show_if_long(TimelineEntry& entry, trace::EventText& text) {
  constexpr cl_ulong kLong = 100'000'000;
  const cl_ulong now = host_time();
  if (now < entry.times.submitted + kLong || entry.start.query() != CUDA_SUCCESS) return;
  const auto started = resources_.clock().host_time_of(entry.start);
  if (!started || now < *started + kLong) return;
  entry.times.started = std::max(*started, entry.times.submitted);
  entry.times.ended = std::numeric_limits<cl_ulong>::max();  // keeps other commands out of the row
  entry.shown = row_for(entry.times, text);
  write(text, entry, *entry.shown, &trace::EventText::add_begin);
}

void QueueTimeline::end_shown(TimelineEntry& entry, trace::EventText& text) {
  entry.times.ended = std::max(entry.times.ended, entry.times.started + 1);
  text.add_end({.track = *entry.shown, .category = {}, .name = {}, .end = entry.times.ended});
  const auto row =
      std::ranges::find(rows_, entry.shown->thread, [](const Row& each) { return each.track.thread; });
  row->end = entry.times.ended;
}

// Sets the command's times in host time; false if they cannot be determined.
bool QueueTimeline::place(TimelineEntry& entry) {
  if (!entry.end) return true;
  try {
    const auto span =
        resources_.clock().host_span_of(entry.start, entry.end, entry.times.submitted, host_time());
    entry.times.started = span.began;
    entry.times.ended = span.ended;
    return true;
  } catch (const std::exception& error) {
    resources_.report_error(error);
    trace::count_left_out(1);
    return false;
  }
}

// The first row that is free during that time. A slice is at least 1 ns long, so that arrows can begin in it.
trace::Track QueueTimeline::row_for(CommandTimes& times, trace::EventText& text) {
  if (in_order_ && !rows_.empty()) times.started = std::max(times.started, rows_.front().end);
  times.ended = std::max(times.ended, times.started + 1);
  auto row = std::ranges::find_if(rows_, [&](const Row& each) { return each.end <= times.started; });
  if (row == rows_.end()) row = rows_.insert(rows_.end(), {new_row(text), 0});
  row->end = times.ended;
  return row->track;
}

trace::Track QueueTimeline::first_row(trace::EventText& text) {
  if (rows_.empty()) rows_.push_back({new_row(text), 0});
  return rows_.front().track;
}

trace::Track QueueTimeline::new_row(trace::EventText& text) const {
  constexpr std::uint32_t kRowsOfQueue = 1000;
  const trace::Track track{process_, number_ * kRowsOfQueue + static_cast<std::uint32_t>(rows_.size())};
  text.name_thread(track, fmt::format("queue {}{}", number_, in_order_ ? "" : ", out of order"),
                   track.thread);
  return track;
}

void QueueTimeline::write(trace::EventText& text, const TimelineEntry& entry, const trace::Track& track,
                          AddSlice add) {
  const bool is_launch = !entry.kernel.empty();
  const CommandTimes& times = entry.times;
  trace::Arguments arguments;
  arguments.add("command", entry.number);
  if (is_launch) {
    arguments.add("global size", size_text(entry.range.global, entry.range.dimensions));
    arguments.add("local size", size_text(entry.range.local, entry.range.dimensions));
  }
  if (entry.bytes) arguments.add("bytes", std::uint64_t{entry.bytes});
  arguments.add("queued to submitted, ns", times.submitted - std::min(times.queued, times.submitted));
  arguments.add("submitted to started, ns", times.started - std::min(times.submitted, times.started));
  (text.*add)({.track = track,
               .category = is_launch ? "kernel" : "command",
               .name = is_launch ? std::string_view(entry.kernel) : name_of(entry.type),
               .begin = times.started,
               .end = times.ended,
               .flow = entry.has_call ? static_cast<std::uint32_t>(entry.number) : 0,
               .arguments = arguments.text()});
}

void note_user_event(std::uint64_t number) noexcept {
  if (!trace::recording()) return;
  try {
    const std::uint64_t now = host_time();
    Timelines::get().add_user_event(number, {trace::thread_track(), now, now + 1});
  } catch (const std::exception&) {
    trace::count_left_out(1);
  }
}

}  // namespace clcuda
