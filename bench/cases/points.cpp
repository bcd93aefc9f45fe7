// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "harness/cases.h"

namespace bench {
namespace {

void cell_forces(Bench& bench, Kernel& kernel) {
  const unsigned cells = bench.size(16 << 10, 64), count = 27;
  const float decay = 0.5f;
  const std::vector<float> bodies = random_values(size_t(cells) * 64 * 4, 40);
  std::vector<unsigned> neighbours = random_words(size_t(cells) * count, 41);
  for (unsigned& neighbour : neighbours) neighbour %= cells;
  Device& device = bench.device();
  const Memory forces = device.allocate(bodies.size() * sizeof(float));
  set_arguments(kernel, device.upload(bodies), device.upload(neighbours), forces, count, decay);
  const auto check = [&] {
    const auto results = device.download<float>(forces);
    at_some_places(size_t(cells) * 64, [&](size_t i) {
      double potential = 0;
      for (unsigned k = 0; k < count; ++k) {
        const float* other = &bodies[size_t(neighbours[i / 64 * count + k]) * 256];
        for (unsigned j = 0; j < 64; ++j, other += 4) {
          const double x = double(bodies[i * 4]) - other[0], y = double(bodies[i * 4 + 1]) - other[1],
                       z = double(bodies[i * 4 + 2]) - other[2];
          potential += other[3] * std::exp(-decay * (x * x + y * y + z * z));
        }
      }
      expect_near(results[i * 4 + 3], potential, 1e-4);
    });
  };
  bench.measure({cells}, {64}, check, 64e-9 * 64 * double(count) * cells, "Gpairs/s");
}

void nearest_centre(Bench& bench, Kernel& kernel) {
  const unsigned points = bench.size(1 << 20, 16 << 10), size = 32, count = 20;
  const std::vector<float> values = random_values(size_t(points) * size, 42),
                           centres = random_values(size_t(count) * size, 43);
  Device& device = bench.device();
  const Memory nearest = device.allocate(points * sizeof(unsigned));
  set_arguments(kernel, device.upload(values), device.upload(centres), nearest, points, size, count);
  const auto distance = [&](size_t point, unsigned centre) {
    double sum = 0;
    for (unsigned i = 0; i < size; ++i)
      sum += std::pow(double(values[size_t(i) * points + point]) - centres[centre * size + i], 2);
    return sum;
  };
  const auto check = [&] {
    const auto results = device.download<unsigned>(nearest);
    at_some_places(points, [&](size_t i) {
      double least = distance(i, 0);
      for (unsigned centre = 1; centre < count; ++centre) least = std::min(least, distance(i, centre));
      expect_near(distance(i, results[i]), least, 1e-5);
    });
  };
  bench.measure({points / 256}, {256}, check, 3e-9 * points * size * count, "GFLOP/s");
}

double brightness(const std::vector<float>& spheres, double x, double y) {
  const double inverse = 1 / std::sqrt(x * x + y * y + 1);
  double nearest = 1e30, result = 0;
  for (size_t i = 0; i < spheres.size(); i += 4) {
    const double sx = spheres[i], sy = spheres[i + 1], sz = spheres[i + 2], r = spheres[i + 3];
    const double along = inverse * (x * sx + y * sy + sz);
    const double below = along * along - (sx * sx + sy * sy + sz * sz - r * r);
    if (below < 0) continue;
    const double distance = along - std::sqrt(below);
    if (distance > 0 && distance < nearest) {
      nearest = distance;
      result = (sz - distance * inverse) / r;
    }
  }
  return result;
}

void spheres(Bench& bench, Kernel& kernel) {
  const unsigned width = bench.size(4096, 256), count = 64;
  const float scale = 2.0f / float(width);
  std::vector<float> all = random_values(size_t(count) * 4, 44);
  for (size_t i = 0; i < all.size(); i += 4) {
    all[i] = (all[i] - 1.0f) * 6.0f;
    all[i + 1] = (all[i + 1] - 1.0f) * 6.0f;
    all[i + 2] = all[i + 2] * 4.0f;
    all[i + 3] = all[i + 3] * 0.4f;
  }
  Device& device = bench.device();
  const Memory picture = device.allocate(size_t(width) * width * sizeof(float));
  set_arguments(kernel, device.upload(all), count, picture, width, scale);
  const auto check = [&] {
    // At the edges, results depend on rounding, so some may differ.
    const auto results = device.download<float>(picture);
    unsigned different = 0;
    at_some_places(results.size(), [&](size_t i) {
      const float x = float(i % width) * scale - 1.0f, y = float(i / width) * scale - 1.0f;
      different += std::abs(results[i] - brightness(all, x, y)) > 1e-3;
    });
    if (different > 3) throw std::runtime_error(std::to_string(different) + " of 52 points are wrong");
  };
  bench.measure({width / 32, width / 8}, {32, 8}, check, 1e-9 * width * width * count, "Gtests/s");
}

}  // namespace

const std::vector<Case> kPointCases = {{"cell_forces", "points", cell_forces},
                                       {"nearest_centre", "points", nearest_centre},
                                       {"spheres", "points", spheres}};

}  // namespace bench
