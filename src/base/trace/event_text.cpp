// SPDX-License-Identifier: Apache-2.0
#include "base/trace/event_text.h"

#include <fmt/compile.h>

#include <algorithm>
#include <iterator>

namespace clcuda::trace {
namespace {

constexpr unsigned char kEndOfAscii = 0x80;
bool is_ascii(char c) { return static_cast<unsigned char>(c) < kEndOfAscii; }
bool is_plain(char c) { return is_ascii(c) && c >= 0x20 && c != '"' && c != '\\'; }

// The size of the character of UTF-8 beyond ASCII with which the text begins; 0 if there is none: it is cut off, a surrogate, or longer
// than needed (table 3-7 of the Unicode standard).
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto goes_on = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (!goes_on(1)) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (!goes_on(2)) return 0;
  if (first >= 0xe0 && first <= 0xef)
    return (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ? 0 : 3;
  if (!goes_on(3) || first < 0xf0 || first > 0xf4) return 0;
  return (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90) ? 0 : 4;
}

// The text as part of a JSON string, which is UTF-8; other bytes, such as those of a name that was cut, become the replacement character.
std::string escaped(std::string_view text) {
  constexpr unsigned kReplacement = 0xfffd;
  std::string result;
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t size = is_ascii(c) ? 1 : character_size(text);
    if (is_ascii(c) ? is_plain(c) : size > 0)
      result += text.substr(0, size);
    else
      fmt::format_to(std::back_inserter(result), "\\u{:04x}",
                     is_ascii(c) ? static_cast<unsigned>(c) : kReplacement);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

template <class Out>
void append_string(Out& out, std::string_view text) {
  if (std::ranges::all_of(text, is_plain))
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("\"{}\""), text);
  else
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("\"{}\""), escaped(text));
}

// Times in the format are in microseconds.
template <class Out>
void append_time(Out& out, std::string_view member, std::uint64_t nanoseconds) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE(",\"{}\":{}.{:03}"), member, nanoseconds / 1000,
                 nanoseconds % 1000);
}

template <class Value>
void append_member(std::string& text, std::string_view name, Value value) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}\"{}\":{}"), text.empty() ? "" : ",", name, value);
}

}  // namespace

Arguments& Arguments::add(std::string_view name, std::uint64_t value) {
  append_member(text_, name, value);
  return *this;
}

Arguments& Arguments::add(std::string_view name, std::int64_t value) {
  append_member(text_, name, value);
  return *this;
}

Arguments& Arguments::add(std::string_view name, std::string_view value) {
  append_member(text_, name, "");
  append_string(text_, value);
  return *this;
}

void EventText::open(char phase, const Track& track) {
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{}"), phase,
                 track.process, track.thread);
}

void EventText::close(std::string_view arguments) {
  if (arguments.empty())
    fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE("}}"));
  else
    fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"args\":{{{}}}}}"), arguments);
}

void EventText::label(std::string_view category, std::string_view name) {
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"cat\":\"{}\",\"name\":"), category);
  append_string(buffer_, name);
}

void EventText::flow(const Slice& slice) {
  if (slice.flow == 0) return;
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"bind_id\":\"{:#x}\",\"flow_{}\":true"),
                 slice.flow, slice.causes ? "out" : "in");
}

void EventText::add(const Slice& slice) {
  open('X', slice.track);
  append_time(buffer_, "ts", slice.begin);
  append_time(buffer_, "dur", std::max(slice.end, slice.begin) - slice.begin);
  label(slice.category, slice.name);
  flow(slice);
  close(slice.arguments);
}

void EventText::add_begin(const Slice& slice) {
  open('B', slice.track);
  append_time(buffer_, "ts", slice.begin);
  label(slice.category, slice.name);
  flow(slice);
  close(slice.arguments);
}

void EventText::add_end(const Slice& slice) {
  open('E', slice.track);
  append_time(buffer_, "ts", slice.end);
  close(slice.arguments);
}

void EventText::add_arrow(std::string_view category, std::uint64_t number, const Point& from,
                          const Point& to) {
  for (const bool begins : {true, false}) {
    const Point& point = begins ? from : to;
    open(begins ? 's' : 'f', point.track);
    append_time(buffer_, "ts", point.time);
    label(category, category);
    fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"id\":{}{}"), number,
                   begins ? "" : ",\"bp\":\"e\"");
    close({});
  }
}

void EventText::add_note(const Track& track, std::uint64_t time, std::string_view text) {
  open('i', track);
  append_time(buffer_, "ts", time);
  label("trace", text);
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"s\":\"t\""));
  close({});
}

void EventText::name(std::string_view what, const Track& track, std::string_view name, std::int64_t place) {
  for (const bool sorts : {false, true}) {
    open('M', track);
    fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"name\":\"{}_{}\""), what,
                   sorts ? "sort_index" : "name");
    close(sorts ? Arguments().add("sort_index", place).text() : Arguments().add("name", name).text());
  }
}

void EventText::name_process(std::uint32_t process, std::string_view name, std::int64_t place) {
  this->name("process", {process, 0}, name, place);
}

void EventText::label_process(std::uint32_t process, std::string_view text) {
  open('M', {process, 0});
  fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE(",\"name\":\"process_labels\""));
  close(Arguments().add("labels", text).text());
}

void EventText::name_thread(const Track& track, std::string_view name, std::int64_t place) {
  this->name("thread", track, name, place);
}

}  // namespace clcuda::trace
