// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/trace/allowance.h"
#include "base/trace/event_text.h"
#include "cuda/event.h"
#include "runtime/queue/command_details.h"
#include "runtime/queue/command_times.h"

namespace clcuda {

class DependencyArrows;
class DeviceResources;

// A command that is to be written to the timeline.
struct TimelineEntry {
  std::uint64_t number = 0;
  cl_command_type type = 0;
  std::string kernel;
  NDRange range;  // of a launch
  std::size_t bytes = 0;
  CommandTimes times;      // all of them only for a host act
  cuda::Event start, end;  // of work in a stream
  bool has_call = false;   // an arrow leads to it from a call in the timeline
  bool has_event = false;  // other commands may wait for it
  std::vector<std::uint64_t> waits_for;
  std::optional<trace::Track> shown;  // the row in which its begin was written, if its end was not

  void describe(const CommandDetails& details);
};

// The start of an entry for work that is submitted without a command object.
struct TimelineStart {
  std::uint64_t number = 0;  // 0: the work is not shown
  bool has_call = false;
  cl_ulong submitted = 0;
  cuda::Timing timing;
};

// The commands of a queue in the timeline. An in-order queue has one row, an out-of-order queue as many as it has overlapping commands. The
// queue adds commands when it submits them. After the device has completed them, the writer's thread determines their times, in the same
// way as for event profiling.
class QueueTimeline {
 public:
  // The timeline of a new queue; null if tracing is off.
  static std::shared_ptr<QueueTimeline> make(DeviceResources& resources, bool in_order);
  QueueTimeline(DeviceResources& resources, bool in_order, std::uint32_t process, std::uint32_t number);

  // The next number of a command; unique across all queues.
  static std::uint64_t next_number() noexcept;
  // Returns the number of a command that is to be shown; 0 if there are too many commands and it is left out. Called by the queue under its
  // lock.
  std::uint64_t admit() noexcept;
  // Adds a command that has been admitted and submitted.
  void add(TimelineEntry entry) noexcept;

  // Called by the writer's thread. Writes the commands that have ended; the others remain.
  void write(trace::EventText& text, DependencyArrows& arrows);
  // Whether all commands that were added have been written.
  bool is_finished() const noexcept;

 private:
  struct Row {
    trace::Track track;
    std::uint64_t end = 0;
  };
  void take_added();
  bool place(TimelineEntry& entry);
  bool write_if_over(TimelineEntry& entry, trace::EventText& text, DependencyArrows& arrows);
  void show_if_long(TimelineEntry& entry, trace::EventText& text);
  void end_shown(TimelineEntry& entry, trace::EventText& text);
  trace::Track row_for(CommandTimes& times, trace::EventText& text);
  trace::Track first_row(trace::EventText& text);
  trace::Track new_row(trace::EventText& text) const;
  using AddSlice = void (trace::EventText::*)(const trace::Slice&);
  static void write(trace::EventText& text, const TimelineEntry& entry, const trace::Track& track,
                    AddSlice add);

  DeviceResources& resources_;
  const bool in_order_;
  const std::uint32_t process_, number_;
  // Burst, and refill for each write (every 50 ms): about 10 000 commands in a second.
  trace::Allowance allowance_{4096, 500};
  std::atomic<std::size_t> pending_ = 0;  // added, but not yet written
  Mutex mutex_ LOCK_RANK(trace_commands);
  std::vector<TimelineEntry> added_ GUARDED_BY(mutex_);
  // Used by the writer's thread only.
  std::vector<TimelineEntry> taken_;
  std::deque<TimelineEntry> waiting_;
  std::vector<Row> rows_;
};

// Notes that this thread has set the user event with this number, so that arrows in the timeline can begin at this time.
void note_user_event(std::uint64_t number) noexcept;

}  // namespace clcuda
