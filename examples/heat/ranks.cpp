// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace heat {
namespace {

// The first index of part `index` of `count`.
int begin_of(int length, int index, int count) {
  return static_cast<int>(std::int64_t{length} * index / count);
}

int checked_product(int factor, int count) {
  const std::int64_t product = std::int64_t{factor} * count;
  if (product > std::numeric_limits<int>::max()) throw std::runtime_error("the plane is too large");
  return static_cast<int>(product);
}

int number_on_machine(MPI_Comm all, int rank) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  int number = 0;
  MPI_Comm_rank(machine, &number);
  MPI_Comm_free(&machine);
  return number;
}

}  // namespace

std::array<Span, kSides> sides(const Tile& tile) {
  const std::size_t width = tile.size.width, height = tile.size.height;
  return {{{0, width}, {width, width}, {2 * width, height}, {2 * width + height, height}}};
}

Side opposite(Side side) {
  constexpr std::array<Side, kSides> kOpposite = {kSouth, kNorth, kEast, kWest};
  return kOpposite[side];
}

Ranks::Ranks(Extent size, bool per_rank) {
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  std::array<int, 2> dimensions{};  // rows, columns
  MPI_Dims_create(count_, 2, dimensions.data());
  // The longer side of the grid is along the longer side of the plane, so that tiles are nearly square.
  if (!per_rank && size.width > size.height) std::swap(dimensions[0], dimensions[1]);
  grid_ = {dimensions[1], dimensions[0]};
  constexpr std::array<int, 2> kPeriodic = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions.data(), kPeriodic.data(), 0, &all_);
  MPI_Comm_rank(all_, &rank_);
  MPI_Cart_shift(all_, 0, 1, &neighbours_[kNorth], &neighbours_[kSouth]);
  MPI_Cart_shift(all_, 1, 1, &neighbours_[kWest], &neighbours_[kEast]);
  local_rank_ = number_on_machine(all_, rank_);
  plane_ = size;
  if (per_rank)
    plane_ = {checked_product(size.width, grid_.width), checked_product(size.height, grid_.height)};
  if (plane_.width < 2 * grid_.width || plane_.height < 2 * grid_.height)
    throw std::runtime_error("a tile needs two cells in each direction: fewer ranks, or a larger plane");
  tile_ = tile_of(rank_);
  if (tile_.cells() > std::size_t{std::numeric_limits<int>::max()})
    throw std::runtime_error("a tile has at most 2^31 - 1 cells: more ranks, or a smaller plane");
}

Ranks::~Ranks() { MPI_Comm_free(&all_); }

Tile Ranks::tile_of(int rank) const {
  std::array<int, 2> place{};  // row, column
  MPI_Cart_coords(all_, rank, 2, place.data());
  Tile tile;
  tile.x = begin_of(plane_.width, place[1], grid_.width);
  tile.y = begin_of(plane_.height, place[0], grid_.height);
  tile.size.width = begin_of(plane_.width, place[1] + 1, grid_.width) - tile.x;
  tile.size.height = begin_of(plane_.height, place[0] + 1, grid_.height) - tile.y;
  return tile;
}

bool Ranks::everywhere(bool here) const {
  int all = here;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, all_);
  return all != 0;
}

double Ranks::largest(double here) const {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MAX, all_);
  return here;
}

std::size_t Ranks::total(std::size_t here) const {
  std::uint64_t sum = here;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, all_);
  return sum;
}

std::vector<float> Ranks::gather(const std::vector<float>& cells) const {
  if (rank_ != 0) {
    MPI_Send(cells.data(), static_cast<int>(cells.size()), MPI_FLOAT, 0, 0, all_);
    return {};
  }
  std::vector<float> plane(static_cast<std::size_t>(plane_.width) * plane_.height), received;
  for (int rank = 0; rank < count_; ++rank) {
    const Tile tile = tile_of(rank);
    received = cells;
    received.resize(tile.cells());
    if (rank != 0)
      MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_FLOAT, rank, 0, all_,
               MPI_STATUS_IGNORE);
    for (int row = 0; row < tile.size.height; ++row)
      std::copy_n(&received[static_cast<std::size_t>(row) * tile.size.width], tile.size.width,
                  &plane[static_cast<std::size_t>(tile.y + row) * plane_.width + tile.x]);
  }
  return plane;
}

}  // namespace heat
