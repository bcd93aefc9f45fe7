// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/trace/event_text.h"

// Writes events to the timeline's file. A thread writes them at least every 50 ms, so that a process that is killed leaves a timeline of
// all but its last moments. The memory of events that are not written yet is limited. Beyond the limit, events are left out and counted;
// for a complete timeline (CLCUDA_TRACE_ALL), threads that record events wait for a write (flush()) instead. All functions are thread-safe.
namespace clcuda::trace {

// Opens the file and starts the thread. Returns false, and logs the reason, if that fails.
bool start_writer(const std::string& file) noexcept;

// A function that adds events which are not in text form yet. It is called at each write on the writer's thread, which holds no other lock
// of the library.
using Source = std::function<void(EventText&)>;
void add_source(Source source);

// Adds events to the next write, or leaves them out and counts them if the limit is reached.
void append(const EventText& events) noexcept;
// Counts events that are left out because of the limit.
void count_left_out(std::uint64_t events) noexcept;
// Waits until all events added so far are in the file, but at most 2 s, in case the disk does not respond.
void flush() noexcept;

}  // namespace clcuda::trace
