// SPDX-License-Identifier: Apache-2.0
// Shortest ways in a map of junctions and roads, which host and device follow by the same pointers (road_map.h).
struct road {
  global struct junction* to;
  global struct road* next;
  uint length;
};

struct junction {
  global struct road* first;
  atomic_uint distance;
};

// One step: whoever is reached offers its neighbours the way through it. Repeated until nothing changes.
kernel void offer_ways(global struct junction* all, volatile global atomic_uint* changes) {
  global struct junction* here = all + get_global_id(0);
  uint distance = atomic_load_explicit(&here->distance, memory_order_relaxed);
  if (distance == UINT_MAX) return;
  for (global struct road* road = here->first; road; road = road->next) {
    uint offer = distance + road->length;
    if (atomic_fetch_min_explicit(&road->to->distance, offer, memory_order_relaxed) > offer)
      atomic_fetch_add_explicit(changes, 1, memory_order_relaxed);
  }
}
