// SPDX-License-Identifier: Apache-2.0
#include "plane.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace heat {

std::vector<float> initial(const Tile& part) {
  std::vector<float> cells;
  cells.reserve(part.cells());
  for (int y = part.y; y < part.y + part.size.height; ++y) {
    for (int x = part.x; x < part.x + part.size.width; ++x) {
      std::uint32_t hash =
          static_cast<std::uint32_t>(x) * 2654435761u ^ static_cast<std::uint32_t>(y) * 2246822519u;
      hash ^= hash >> 15;
      hash *= 3266489917u;
      hash ^= hash >> 16;
      cells.push_back(1.0f + static_cast<float>(hash & 0xffff) / 65536.0f);
    }
  }
  return cells;
}

std::vector<float> edge_cells(const std::vector<float>& cells, Extent size) {
  const auto at = [&](int x, int y) { return cells[static_cast<std::size_t>(y) * size.width + x]; };
  std::vector<float> edges;
  for (int y : {0, size.height - 1})
    for (int x = 0; x < size.width; ++x) edges.push_back(at(x, y));
  for (int x : {0, size.width - 1})
    for (int y = 0; y < size.height; ++y) edges.push_back(at(x, y));
  return edges;
}

std::vector<float> conducted(Extent plane, int steps) {
#pragma STDC FP_CONTRACT OFF
  // With a border of zeros, so that the loop needs no special cases.
  const std::size_t width = static_cast<std::size_t>(plane.width), pitch = width + 2;
  const std::vector<float> start = initial({0, 0, plane});
  std::vector<float> now(pitch * (static_cast<std::size_t>(plane.height) + 2)), next(now.size());
  for (std::size_t y = 0; y < static_cast<std::size_t>(plane.height); ++y)
    std::memcpy(&now[(y + 1) * pitch + 1], &start[y * width], width * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    for (std::size_t y = 1; y <= static_cast<std::size_t>(plane.height); ++y) {
      const float* row = &now[y * pitch];
      float* out = &next[y * pitch];
      for (std::size_t x = 1; x <= width; ++x) {
        const float sum = (row[x - pitch] + row[x + pitch]) + (row[x - 1] + row[x + 1]);
        out[x] = row[x] + 0.2f * (sum - 4.0f * row[x]);
      }
    }
    now.swap(next);
  }
  std::vector<float> cells(start.size());
  for (std::size_t y = 0; y < static_cast<std::size_t>(plane.height); ++y)
    std::memcpy(&cells[y * width], &now[(y + 1) * pitch + 1], width * sizeof(float));
  return cells;
}

std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]);
  return count;
}

}  // namespace heat
