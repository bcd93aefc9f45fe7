// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "base/trace/event_text.h"

namespace clcuda {

// The arrows of a timeline: from commands, and from the calls that set user events, to the commands that wait for them. An arrow is written
// as soon as both of its ends are in the timeline. Only the latest entries are remembered, so that memory is bounded.
class DependencyArrows {
 public:
  // The place of an event in the timeline. add() gets its number and the numbers of the events that it waits for.
  struct Place {
    trace::Track track;
    std::uint64_t begin = 0, end = 0;
  };
  void add(trace::EventText& text, std::uint64_t number, const Place& place,
           std::span<const std::uint64_t> waits_for);

 private:
  void write(trace::EventText& text, const Place& from, const Place& to);

  std::map<std::uint64_t, Place> placed_;
  std::multimap<std::uint64_t, Place> awaited_;  // by the number of the awaited event
  std::uint64_t arrows_ = 0;
};

}  // namespace clcuda
