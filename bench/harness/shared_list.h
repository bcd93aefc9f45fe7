// SPDX-License-Identifier: Apache-2.0
// The host's part of the shared memory benchmarks, the same for OpenCL and CUDA.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace bench {

inline void add_one(std::uint32_t* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] += 1;
}

struct Node {
  Node* next;
  std::uint32_t value;
};
constexpr std::size_t kListLength = 1 << 16;

// Links the nodes in random order; returns the first.
inline Node* link_list(Node* nodes) {
  std::vector<std::size_t> order(kListLength);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  Node* next = nullptr;
  for (const std::size_t place : order) {
    nodes[place] = {next, static_cast<std::uint32_t>(place)};
    next = &nodes[place];
  }
  return next;
}

}  // namespace bench
