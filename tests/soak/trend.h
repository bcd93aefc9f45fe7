// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace soak {

// What was measured, and when.
struct Sample {
  double seconds;
  double value;
};

// How much a value becomes more from the first sample to the last, by the line through them whose slope is
// the median of those between any two (Theil and Sen): a sample that is off, or three, do not count.
inline double growth(const std::vector<Sample>& samples) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = i + 1; j < samples.size(); ++j)
      if (samples[j].seconds > samples[i].seconds)
        slopes.push_back((samples[j].value - samples[i].value) / (samples[j].seconds - samples[i].seconds));
  if (slopes.empty()) return 0;
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  return *middle * (samples.back().seconds - samples.front().seconds);
}

}  // namespace soak
