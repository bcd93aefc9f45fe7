// SPDX-License-Identifier: Apache-2.0
#include "road_map.h"

#include <queue>
#include <stdexcept>
#include <utility>

RoadMap::RoadMap(Junction* junctions, std::size_t junction_count, Road* roads, std::size_t road_count)
    : junctions_(junctions), junction_count_(junction_count), roads_(roads), road_count_(road_count) {
  for (std::size_t i = 0; i < junction_count_; ++i) junctions_[i] = {};
}

void RoadMap::join(Junction& from, Junction& to, cl_uint length, Road& with) {
  with = {&to, from.first, length};
  from.first = &with;
}

void RoadMap::build_town(std::size_t side, std::mt19937& random) {
  const auto join_both = [&](std::size_t a, std::size_t b) {
    if (used_ + 2 > road_count_) throw std::length_error("too few roads for the town");
    const auto length = static_cast<cl_uint>(1 + random() % 100);
    join(junctions_[a], junctions_[b], length, roads_[used_++]);
    join(junctions_[b], junctions_[a], length, roads_[used_++]);
  };
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      if (x + 1 < side) join_both(y * side + x, y * side + x + 1);
      if (y + 1 < side) join_both(y * side + x, (y + 1) * side + x);
    }
}

void RoadMap::rebuild_roads(std::size_t count, std::mt19937& random) {
  for (std::size_t i = 0; i < count; ++i) {
    Junction& from = junctions_[random() % junction_count_];
    Road* const closed = from.first;
    if (!closed) continue;
    from.first = closed->next;
    join(junctions_[random() % junction_count_], junctions_[random() % junction_count_],
         static_cast<cl_uint>(1 + random() % 1000), *closed);
  }
}

void RoadMap::forget_distances() {
  for (std::size_t i = 0; i < junction_count_; ++i) junctions_[i].distance = i ? kUnreached : 0;
}

std::vector<cl_uint> RoadMap::shortest_ways() const {
  std::vector<cl_uint> distances(junction_count_, kUnreached);
  using Entry = std::pair<cl_uint, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  distances[0] = 0;
  open.emplace(0, 0);
  while (!open.empty()) {
    const auto [distance, index] = open.top();
    open.pop();
    if (distance > distances[index]) continue;
    for (const Road* road = junctions_[index].first; road; road = road->next) {
      const auto neighbour = static_cast<std::size_t>(road->to - junctions_);
      if (distance + road->length >= distances[neighbour]) continue;
      distances[neighbour] = distance + road->length;
      open.emplace(distances[neighbour], neighbour);
    }
  }
  return distances;
}
