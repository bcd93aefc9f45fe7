// SPDX-License-Identifier: Apache-2.0
#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace bench {

std::vector<float> random_values(size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = 0.5f + float(random() & 0xffff) / 65536.0f;
  return values;
}

void expect_near(const char* what, double actual, double expected, double tolerance) {
  if (std::abs(actual - expected) <= tolerance * std::max(std::abs(expected), 1.0)) return;
  throw std::runtime_error(std::string(what) + ": " + std::to_string(actual) + " instead of " +
                           std::to_string(expected));
}

double sgemm_element(const std::vector<float>& a, const std::vector<float>& b, size_t n, size_t row,
                     size_t column) {
  double result = 0;
  for (size_t k = 0; k < n; ++k) result += double(a[row * n + k]) * b[k * n + column];
  return result;
}

double nbody_force_x(const std::vector<float>& bodies, size_t body) {
  double force = 0;
  for (size_t i = 0; i < bodies.size(); i += 4) {
    const double x = double(bodies[i]) - bodies[body * 4];
    const double y = double(bodies[i + 1]) - bodies[body * 4 + 1];
    const double z = double(bodies[i + 2]) - bodies[body * 4 + 2];
    force += x * bodies[i + 3] * std::pow(x * x + y * y + z * z + 1e-3, -1.5);
  }
  return force;
}

double sum(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double transcendental(double x) {
  return std::sin(x) + std::exp(x) + std::pow(x, double(1.7f)) + std::log(x);
}

}  // namespace bench
