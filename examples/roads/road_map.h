// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <random>
#include <vector>

// A map of junctions and one-way roads, linked by pointers: the layout of roads.cl.
struct Junction;
struct Road {
  Junction* to;
  Road* next;
  cl_uint length;
};
struct Junction {
  Road* first;
  cl_uint distance;
};

constexpr cl_uint kUnreached = ~cl_uint{0};

// Builds and changes the map in the given memory: `junctions` elements, and `roads` for additional roads.
class RoadMap {
 public:
  RoadMap(Junction* junctions, std::size_t junction_count, Road* roads, std::size_t road_count);

  // A town of side × side junctions, each joined to its neighbours.
  void build_town(std::size_t side, std::mt19937& random);
  // Unlinks roads from their lists, and links them elsewhere.
  void rebuild_roads(std::size_t count, std::mt19937& random);
  // Resets all distances except that of the first junction, where routes begin.
  void forget_distances();
  // The distances, found on the host (Dijkstra).
  std::vector<cl_uint> shortest_ways() const;

 private:
  void join(Junction& from, Junction& to, cl_uint length, Road& with);

  Junction* const junctions_;
  const std::size_t junction_count_;
  Road* const roads_;
  const std::size_t road_count_;
  std::size_t used_ = 0;
};
