// SPDX-License-Identifier: Apache-2.0
// The stencil of two_devices: its grid, the expected values computed on the host, and the measurements.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/benchmark.h"

namespace bench {

// `depth` planes of width × height, with a constant plane below and above. The border of each plane is constant too.
struct Grid {
  size_t width, height, depth;

  size_t plane() const { return width * height; }
  std::vector<float> initial() const {
    std::vector<float> values((depth + 2) * plane());
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 1009) / 1009.0f;
    return values;
  }
  // The planes between the constant ones after this number of steps.
  std::vector<float> after(unsigned steps) const {
    std::vector<float> from = initial(), to = from;
    while (steps--) {
      for (size_t z = 1; z <= depth; ++z)
        for (size_t y = 1; y + 1 < height; ++y)
          for (size_t x = 1; x + 1 < width; ++x) {
            const size_t at = z * plane() + y * width + x;
            to[at] = 0.4f * from[at] + 0.1f * (from[at - plane()] + from[at + plane()] + from[at - 1] +
                                               from[at + 1] + from[at - width] + from[at + width]);
          }
      std::swap(from, to);
    }
    return {from.begin() + static_cast<long>(plane()), from.end() - static_cast<long>(plane())};
  }
};

// `make(parts, grid)` creates a stencil on `parts` devices, with run(steps) and interior().
template <class Make>
void add_stencils(size_t devices, bool large, const Make& make) {
  for (size_t parts = 1; parts <= devices && parts <= 2; ++parts)
    add_prepared("stencil_on_" + std::to_string(parts), [=]() -> Operation {
      const Grid small{64, 16, 12};
      auto checked = make(parts, small);
      checked.run(7);
      const std::vector<float> found = checked.interior(), expected = small.after(7);
      for (size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(found[i] - expected[i]) < 1e-4f)) throw std::runtime_error("wrong results");
      using Stencil = decltype(checked);
      const auto stencil =
          std::make_shared<Stencil>(make(parts, large ? Grid{512, 512, 512} : Grid{64, 64, 64}));
      return {[stencil](size_t steps) { stencil->run(steps); }};
    });
}

}  // namespace bench
