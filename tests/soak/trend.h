// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace soak {

// A measurement and its time.
struct Sample {
  double seconds;
  double value;
};

// The growth of a value from the first sample to the last, by a line whose slope is the median of those between any two samples (Theil and
// Sen), so that a few outliers do not matter.
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
