// SPDX-License-Identifier: Apache-2.0
// The plane on the host: how it begins, and what it becomes according to a plain loop, which the devices' result is checked against.
#pragma once

#include <cstddef>
#include <vector>

#include "ranks.h"

namespace heat {

// The temperatures of a part of the plane at the beginning, between 1 and 2: a hash of the cell's place.
std::vector<float> initial(const Tile& part);
// The whole plane after some steps. Cells beyond its border are at 0.
std::vector<float> conducted(Extent plane, int steps);
// How many cells differ by a bit or more.
std::size_t differing(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace heat
