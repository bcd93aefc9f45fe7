// SPDX-License-Identifier: Apache-2.0
#include "gaussian.h"

#include <cmath>
#include <numeric>

namespace photo {

std::vector<uint32_t> gaussian_weights(double sigma) {
  const int radius = int(std::ceil(3 * sigma));
  std::vector<double> curve(2 * radius + 1);
  for (int i = -radius; i <= radius; ++i) curve[i + radius] = std::exp(-i * i / (2 * sigma * sigma));
  const double total = std::accumulate(curve.begin(), curve.end(), 0.0);
  std::vector<uint32_t> weights;
  for (double value : curve) weights.push_back(uint32_t(std::lround(value / total * 65536)));
  // Rounding errors are added to the middle weight, where they are relatively smallest.
  weights[radius] += 65536 - std::accumulate(weights.begin(), weights.end(), 0u);
  return weights;
}

}  // namespace photo
