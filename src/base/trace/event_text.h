// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace clcuda::trace {

// A row of the timeline: a thread of a process, or a queue, which is shown as a thread of a device.
struct Track {
  std::uint32_t process = 0, thread = 0;
};

// The members of an event's "args", as JSON: Arguments().add("bytes", std::uint64_t{4096}).
class Arguments {
 public:
  Arguments& add(std::string_view name, std::uint64_t value);
  Arguments& add(std::string_view name, std::int64_t value);
  Arguments& add(std::string_view name, std::string_view value);
  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

// An event with a beginning and an end, in nanoseconds of host_time(). Refers to its texts.
struct Slice {
  Track track;
  std::string_view category, name;
  std::uint64_t begin = 0, end = 0;
  // The number of an arrow from the slice that `causes` another one to that slice, which has the same number; 0: none.
  std::uint64_t flow = 0;
  bool causes = false;
  std::string_view arguments = {};  // Arguments::text()
};

// A point in time on a row, at which an arrow begins or ends.
struct Point {
  Track track;
  std::uint64_t time = 0;
};

// Events as text of the Trace Event Format, which chrome://tracing and Perfetto read: one event a line, each preceded by a comma.
//
//   EventText text;
//   text.add({.track = track, .category = "api", .name = "clFinish", .begin = began, .end = host_time()});
class EventText {
 public:
  void add(const Slice& slice);
  // A slice in two steps, if its end is not known yet. Nested slices may be added in between.
  void add_begin(const Slice& slice);
  void add_end(const Slice& slice);
  void add_arrow(std::string_view category, std::uint64_t number, const Point& from, const Point& to);
  // An instant event: a text about a row at a time.
  void add_note(const Track& track, std::uint64_t time, std::string_view text);
  // Names of processes and rows; `place` is their position in the timeline, smallest first.
  void name_process(std::uint32_t process, std::string_view name, std::int64_t place);
  void name_thread(const Track& track, std::string_view name, std::int64_t place);

  // A text that is shown beside a process's name.
  void label_process(std::uint32_t process, std::string_view text);
  // Appends events in text form.
  void add_text(std::string_view events) { buffer_.append(events); }

  std::string_view text() const { return {buffer_.data(), buffer_.size()}; }
  void clear() { buffer_.clear(); }

 private:
  void open(char phase, const Track& track);
  void close(std::string_view arguments);
  void label(std::string_view category, std::string_view name);
  void flow(const Slice& slice);
  void name(std::string_view what, const Track& track, std::string_view name, std::int64_t place);

  fmt::basic_memory_buffer<char, 4096> buffer_;
};

}  // namespace clcuda::trace
