// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/cases.h"

namespace bench {
namespace {

void hotspot(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const float step = 0.1f, across = 0.3f, down = 0.2f, out = 0.01f;
  const std::vector<float> heat = random_values(size_t(n) * n, 36), power = random_values(size_t(n) * n, 37);
  Device& device = bench.device();
  const Memory next = device.allocate(heat.size() * sizeof(float));
  set_arguments(kernel, device.upload(heat), device.upload(power), next, n, n, step, across, down, out);
  const auto check = [&] {
    const auto results = device.download<float>(next);
    at_some_places(results.size(), [&](size_t i) {
      const size_t x = i % n, y = i / n;
      const double here = heat[i];
      const double beside = double(heat[x ? i - 1 : i]) + heat[x < n - 1 ? i + 1 : i],
                   over = double(heat[y ? i - n : i]) + heat[y < n - 1 ? i + n : i];
      expect_near(results[i],
                  here + step * (power[i] + (over - 2 * here) * down + (beside - 2 * here) * across +
                                 (80 - here) * out),
                  1e-5);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 12e-9 * double(n) * n, "GB/s");
}

// The expected result for velocity `wanted` at a position, by the kernel's formula.
double next_density(const std::vector<float>& from, size_t n, size_t x, size_t y, int wanted,
                    double relaxation) {
  static const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  double density = 0, u = 0, v = 0, own = 0;
  for (int i = 0; i < 9; ++i) {
    const size_t row = (y + n - dy[i]) % n, column = (x + n - dx[i]) % n;
    const double f = from[(i * n + row) * n + column];
    density += f;
    u += dx[i] * f;
    v += dy[i] * f;
    if (i == wanted) own = f;
  }
  u /= density;
  v /= density;
  const double along = dx[wanted] * u + dy[wanted] * v;
  const double weight = wanted == 0 ? 4.0 / 9 : wanted < 5 ? 1.0 / 9 : 1.0 / 36;
  const double balance = weight * density * (1 - 1.5 * (u * u + v * v) + 3 * along + 4.5 * along * along);
  return own + relaxation * (balance - own);
}

void lattice_boltzmann(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(4096, 256);
  const float relaxation = 0.6f;
  const std::vector<float> values = random_values(size_t(n) * n * 9, 38);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, n, n, relaxation);
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(results.size(), [&](size_t i) {
      const size_t place = i % (size_t(n) * n);
      const int velocity = int(i / (size_t(n) * n));
      expect_near(results[i], next_density(values, n, place % n, place / n, velocity, relaxation), 1e-5);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 72e-9 * double(n) * n, "GB/s");
}

void shortest_ways(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024), middle = n / 3;
  const std::vector<float> values = random_values(size_t(n) * n, 39);
  const Memory distances = bench.device().upload(values);
  set_arguments(kernel, distances, n, middle);
  const auto check = [&] {
    const auto results = bench.device().download<float>(distances);
    at_some_places(results.size(), [&](size_t i) {
      const float over = values[i / n * n + middle] + values[size_t(middle) * n + i % n];
      expect_near(results[i], std::min(values[i], over), 0);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 4e-9 * double(n) * n, "GB/s");
}

}  // namespace

const std::vector<Case> kFieldCases = {{"hotspot", "fields", hotspot},
                                       {"lattice_boltzmann", "fields", lattice_boltzmann},
                                       {"shortest_ways", "fields", shortest_ways}};

}  // namespace bench
