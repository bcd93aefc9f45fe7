// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "cuda/stream.h"

namespace clcuda {

using Size3 = std::array<std::size_t, 3>;

// The parts in which a box (bytes, rows, slices) goes through linear memory of at most `room` bytes: slices; rows if a slice is too large;
// pieces of a row, each a multiple of `unit` bytes, if a row is.
//
//   const BoxParts parts(bytes, room);
//   const StreamMemory memory(resources, parts.size(), stream);
//   parts.for_each([&](const Size3& place, const Size3& part) {
//     stream.copy_box(BoxParts::packed(memory.address(), part), moved(box, place), part);
//   });
class BoxParts {
 public:
  BoxParts(const Size3& box, std::size_t room, std::size_t unit = 1) : box_(box), part_(box) {
    part_[0] = std::min(box[0], room / unit * unit);
    part_[1] = std::clamp<std::size_t>(room / box[0], 1, box[1]);
    part_[2] = part_[1] < box[1] ? 1 : std::clamp<std::size_t>(room / (box[0] * box[1]), 1, box[2]);
  }

  // Bytes of the largest part.
  std::size_t size() const { return part_[0] * part_[1] * part_[2]; }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t z = 0; z < box_[2]; z += part_[2])
      for (std::size_t y = 0; y < box_[1]; y += part_[1])
        for (std::size_t x = 0; x < box_[0]; x += part_[0])
          visit(Size3{x, y, z}, Size3{std::min(part_[0], box_[0] - x), std::min(part_[1], box_[1] - y),
                                      std::min(part_[2], box_[2] - z)});
  }

  // A part in the linear memory, without gaps.
  static cuda::BoxSide packed(CUdeviceptr address, const Size3& part) {
    return {.device = address, .row_pitch = part[0], .slice_pitch = part[0] * part[1]};
  }

 private:
  const Size3 box_;
  Size3 part_;
};

// The box that begins at this place in another.
inline cuda::BoxSide moved(const cuda::BoxSide& side, const Size3& place) {
  return side.moved(place[0], place[1], place[2]);
}

}  // namespace clcuda
