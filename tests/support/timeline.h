// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/json.h"

namespace test {

// A file in the Trace Event Format, and checks of the format's rules.
//
//   const Timeline timeline = Timeline::read(path);
//   timeline.check();
//   EXPECT_EQ(timeline.slices("clFinish").size(), 1u);
class Timeline {
 public:
  using Track = std::pair<std::string, std::string>;  // process, thread
  // Nanoseconds: the format's microseconds have three decimals.
  static std::uint64_t nanoseconds(const Json& value) {
    std::string text = value.text;
    const std::size_t dot = text.find('.');
    EXPECT_EQ(text.size() - dot, 4u) << text;
    text.erase(dot, 1);
    return std::stoull(text);
  }
  struct Slice {
    Track track;
    std::string name, category;
    std::uint64_t begin = 0, end = 0;
    bool ended = true;
    Json event;

    const Json& argument(std::string_view name) const { return event["args"][name]; }
    bool contains(std::uint64_t time) const { return begin <= time && (!ended || time < end); }
  };
  struct Arrow {
    Slice from, to;
  };

  // `cut`: written by a killed process, so the list is not terminated.
  enum class Ends { whole, cut };
  static Timeline read(const std::string& path, Ends ends = Ends::whole) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (ends == Ends::cut) text += "]";
    Timeline timeline;
    timeline.events_ = Json::parse(text).elements;
    timeline.find_slices();
    timeline.find_arrows();
    return timeline;
  }

  const std::vector<Json>& events() const { return events_; }
  const std::vector<Slice>& slices() const { return slices_; }
  std::vector<Slice> slices(std::string_view name) const {
    return slices_if([&](const Slice& slice) { return slice.name == name; });
  }
  std::vector<Slice> slices_if(const std::function<bool(const Slice&)>& wanted) const {
    std::vector<Slice> found;
    for (const Slice& slice : slices_)
      if (wanted(slice)) found.push_back(slice);
    return found;
  }
  const std::vector<Arrow>& arrows() const { return arrows_; }
  std::string process_name(const Track& track) const { return name("process_name", {track.first, "0"}); }
  std::string thread_name(const Track& track) const { return name("thread_name", track); }
  // The slice that caused a slice (by a flow event); null if there is none.
  const Slice* cause_of(const Slice& slice) const {
    const auto found = causes_.find(slice.event["bind_id"].text);
    return found == causes_.end() ? nullptr : &slices_[found->second];
  }

  // The number of events that the process reports as dropped.
  std::size_t dropped() const {
    for (const Json& event : events_)
      if (event["name"].text == "process_labels") return std::stoul(event["args"]["labels"].text);
    return 0;
  }

  void check() const {
    for (const Json& event : events_) {
      EXPECT_EQ(event["ph"].text.size(), 1u);
      for (const char* member : {"pid", "tid"}) EXPECT_EQ(event[member].kind, Json::Kind::literal);
      EXPECT_EQ(event.has("ts"), event["ph"].text != "M");
    }
    for (const Slice& slice : slices_) {
      EXPECT_NE(process_name(slice.track), "") << slice.name;
      EXPECT_NE(thread_name(slice.track), "") << slice.name;
      if (slice.event.has("flow_in")) EXPECT_TRUE(cause_of(slice)) << slice.name;
    }
    check_nesting();
  }

 private:
  static Track track_of(const Json& event) { return {event["pid"].text, event["tid"].text}; }

  std::string name(const char* kind, const Track& track) const {
    const auto found = names_.find({kind, track});
    return found == names_.end() ? std::string() : found->second;
  }

  void find_slices() {
    std::map<Track, std::vector<std::size_t>> open;
    for (const Json& event : events_) {
      const std::string& phase = event["ph"].text;
      if (phase == "X" || phase == "B") {
        const std::uint64_t begin = nanoseconds(event["ts"]);
        slices_.push_back({.track = track_of(event),
                           .name = event["name"].text,
                           .category = event["cat"].text,
                           .begin = begin,
                           .end = phase == "X" ? begin + nanoseconds(event["dur"]) : begin,
                           .ended = phase == "X",
                           .event = event});
        if (event.has("flow_out")) causes_.emplace(event["bind_id"].text, slices_.size() - 1);
        if (phase == "B") open[track_of(event)].push_back(slices_.size() - 1);
      } else if (phase == "E") {
        auto& of_track = open[track_of(event)];
        ASSERT_FALSE(of_track.empty()) << "an end without a beginning";
        slices_[of_track.back()].end = nanoseconds(event["ts"]);
        slices_[of_track.back()].ended = true;
        of_track.pop_back();
      } else if (phase == "M") {
        names_[{event["name"].text, track_of(event)}] = event["args"]["name"].text;
      }
    }
  }

  // The slice that contains a flow event: of those that are open at that time, the one that began last.
  const Slice* slice_at(const Json& event) const {
    const Slice* found = nullptr;
    const std::uint64_t time = nanoseconds(event["ts"]);
    for (const Slice& slice : slices_)
      if (slice.track == track_of(event) && slice.contains(time) && (!found || slice.begin >= found->begin))
        found = &slice;
    return found;
  }

  void find_arrows() {
    std::map<std::string, const Json*> begun;
    for (const Json& event : events_) {
      if (event["ph"].text == "s") EXPECT_TRUE(begun.emplace(event["id"].text, &event).second);
      if (event["ph"].text != "f") continue;
      ASSERT_TRUE(begun.contains(event["id"].text)) << "an arrow without a beginning";
      const Json& from = *begun[event["id"].text];
      EXPECT_LE(nanoseconds(from["ts"]), nanoseconds(event["ts"]));
      EXPECT_EQ(event["bp"].text, "e");
      ASSERT_TRUE(slice_at(from) && slice_at(event)) << "an arrow that begins or ends in no slice";
      arrows_.push_back({*slice_at(from), *slice_at(event)});
    }
  }

  // Slices of a track are nested or disjoint.
  void check_nesting() const {
    std::map<Track, std::vector<const Slice*>> tracks;
    for (const Slice& slice : slices_) tracks[slice.track].push_back(&slice);
    for (auto& [track, slices] : tracks) {
      std::ranges::sort(slices, [](const Slice* a, const Slice* b) {
        return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
      });
      std::vector<const Slice*> open;
      for (const Slice* slice : slices) {
        while (!open.empty() && open.back()->ended && open.back()->end <= slice->begin) open.pop_back();
        if (!open.empty() && open.back()->ended && slice->ended)
          EXPECT_LE(slice->end, open.back()->end) << slice->name << " overlaps " << open.back()->name;
        open.push_back(slice);
      }
    }
  }

  std::vector<Json> events_;
  std::vector<Slice> slices_;
  std::map<std::string, std::size_t> causes_;  // by the bind_id of the slice that they cause
  std::map<std::pair<std::string, Track>, std::string> names_;
  std::vector<Arrow> arrows_;
};

}  // namespace test
