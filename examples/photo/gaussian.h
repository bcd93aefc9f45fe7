// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace photo {

// The weights of a Gaussian with the given standard deviation, in units of 1/65536, from -radius to +radius.
// They add up to 65536.
std::vector<uint32_t> gaussian_weights(double sigma);
inline int radius_of(const std::vector<uint32_t>& weights) { return int(weights.size() / 2); }

// With a larger one, a tile would not fit into the 32 KB of local memory that every device has.
inline constexpr double kMaxSigma = 10;

}  // namespace photo
