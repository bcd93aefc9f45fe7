// SPDX-License-Identifier: Apache-2.0
// The plane on the host: initial values, and a plain loop with which the devices' result is compared.
#pragma once

#include <cstddef>
#include <vector>

#include "ranks.h"

namespace heat {

// The initial temperatures of a part of the plane, between 1 and 2: a hash of the cell's position.
std::vector<float> initial(const Tile& part);
// The cells of the four sides of a tile, in the order in which they are exchanged.
std::vector<float> edge_cells(const std::vector<float>& cells, Extent size);
// The whole plane after some steps. Cells outside of it are 0.
std::vector<float> conducted(Extent plane, int steps);
// The number of cells that differ in any bit.
std::size_t differing(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace heat
