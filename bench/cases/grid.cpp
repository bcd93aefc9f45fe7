// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "harness/cases.h"

namespace bench {
namespace {

void stencil_2d(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024), width = n + 2;
  const std::vector<float> values = random_values(size_t(width) * width, 17);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, width);
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(size_t(n) * n, [&](size_t i) {
      const size_t at = (i / n + 1) * width + i % n + 1;
      const double around = double(values[at - 1]) + values[at + 1] + values[at - width] + values[at + width];
      expect_near(results[at], 0.5 * values[at] + 0.125 * around, 1e-6);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 8e-9 * double(n) * n, "GB/s");
}

void stencil_3d(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(512, 64), width = n + 2, plane = width * width;
  const std::vector<float> values = random_values(size_t(plane) * width, 18);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, width, width, n);
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(size_t(n) * n * n, [&](size_t i) {
      const size_t at = (i / n / n + 1) * plane + (i / n % n + 1) * width + i % n + 1;
      double around = 0;
      for (size_t step : {size_t(1), size_t(width), size_t(plane)})
        around += double(values[at - step]) + values[at + step];
      expect_near(results[at], double(0.4f) * values[at] + double(0.1f) * around, 1e-6);
    });
  };
  bench.measure({n / 32, n / 8}, {32, 8}, check, 8e-9 * double(n) * n * n, "GB/s");
}

// The kernel's weights, rounded to four decimals: a Gaussian with a standard deviation of two.
double filter_weight(int y, int x) {
  static const double weights[4][4] = {{0.0467, 0.0412, 0.0283, 0.0152},
                                       {0.0412, 0.0364, 0.0250, 0.0134},
                                       {0.0283, 0.0250, 0.0172, 0.0092},
                                       {0.0152, 0.0134, 0.0092, 0.0049}};
  return weights[std::abs(y)][std::abs(x)];
}

void convolution(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 512), width = n + 6;
  const std::vector<float> values = random_values(size_t(width) * width, 19);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, width);
  const auto check = [&] {
    const auto results = bench.device().download<float>(to);
    at_some_places(size_t(n) * n, [&](size_t i) {
      const size_t row = i / n + 3, column = i % n + 3;
      double sum = 0;
      for (int y = -3; y <= 3; ++y) {
        for (int x = -3; x <= 3; ++x) sum += filter_weight(y, x) * values[(row + y) * width + column + x];
      }
      expect_near(results[row * width + column], sum, 1e-6);
    });
  };
  bench.measure({n / 16, n / 16}, {16, 16}, check, 98e-9 * double(n) * n, "GFLOP/s");
}

void sparse_product(Bench& bench, Kernel& kernel) {
  const unsigned rows = bench.size(4 << 20, 64 << 10), most = 32;
  const std::vector<unsigned> random = random_words(size_t(rows) * (most + 1), 20);
  const std::vector<float> vector = random_values(rows, 21);
  std::vector<unsigned> starts{0}, columns;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned* words = &random[size_t(row) * (most + 1)];
    const unsigned length = words[0] % most + 1;
    // Near the diagonal, as in matrices of meshes.
    for (unsigned i = 1; i <= length; ++i) columns.push_back(std::min(row + words[i] % 1024, rows - 1));
    starts.push_back(unsigned(columns.size()));
  }
  const std::vector<float> values = random_values(columns.size(), 22);
  Device& device = bench.device();
  const Memory result = device.allocate(rows * sizeof(float));
  set_arguments(kernel, device.upload(starts), device.upload(columns), device.upload(values),
                device.upload(vector), result);
  const auto check = [&] {
    const auto results = device.download<float>(result);
    at_some_places(rows, [&](size_t row) {
      double sum = 0;
      for (size_t i = starts[row]; i < starts[row + 1]; ++i) sum += double(values[i]) * vector[columns[i]];
      expect_near(results[row], sum, 1e-5);
    });
  };
  bench.measure({rows / 256}, {256}, check, 2e-9 * double(columns.size()), "GFLOP/s");
}

}  // namespace

const std::vector<Case> kGridCases = {{"stencil_2d", "grid", stencil_2d},
                                      {"stencil_3d", "grid", stencil_3d},
                                      {"convolution", "grid", convolution},
                                      {"sparse_product", "grid", sparse_product}};

}  // namespace bench
