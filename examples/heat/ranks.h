// SPDX-License-Identifier: Apache-2.0
// The ranks of the program, arranged in a grid over the plane. Each has a tile, and up to four neighbours.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace heat {

struct Extent {
  int width = 0, height = 0;
};

// A part of the plane.
struct Tile {
  int x = 0, y = 0;
  Extent size;
  std::size_t cells() const { return static_cast<std::size_t>(size.width) * size.height; }
  // The number of cells on the four sides, which are exchanged.
  std::size_t edge_cells() const { return 2 * (static_cast<std::size_t>(size.width) + size.height); }
};

enum Side { kNorth, kSouth, kWest, kEast, kSides };

// The position of a side's cells among the edge cells.
struct Span {
  std::size_t offset = 0, count = 0;
};
std::array<Span, kSides> sides(const Tile& tile);
// The side of the neighbour's tile that this side touches.
Side opposite(Side side);

class Ranks {
 public:
  // With `per_rank`, `size` is the size of each tile instead of the plane. Throws if a tile would have less than two cells in a dimension.
  Ranks(Extent size, bool per_rank);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  MPI_Comm all() const { return all_; }
  int rank() const { return rank_; }
  int count() const { return count_; }
  // This rank's number among those of its machine.
  int local_rank() const { return local_rank_; }
  // The columns and rows of tiles.
  Extent grid() const { return grid_; }
  Extent plane() const { return plane_; }
  const Tile& tile() const { return tile_; }
  // MPI_PROC_NULL at the borders of the plane.
  int neighbour(Side side) const { return neighbours_[side]; }

  // Whether `here` is true on all ranks.
  bool everywhere(bool here) const;
  double largest(double here) const;
  std::size_t total(std::size_t here) const;
  // The whole plane, on rank 0, from the tiles of all ranks.
  std::vector<float> gather(const std::vector<float>& cells) const;

 private:
  Tile tile_of(int rank) const;

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0, count_ = 1, local_rank_ = 0;
  Extent grid_, plane_;
  Tile tile_;
  std::array<int, kSides> neighbours_{};
};

}  // namespace heat
