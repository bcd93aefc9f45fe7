// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <numbers>

#include "harness/cases.h"

namespace bench {
namespace {

constexpr unsigned points = 1024;

std::complex<double> root(size_t i) {
  return std::polar(1.0, -2 * std::numbers::pi * double(i % points) / points);
}

void fft(Bench& bench, Kernel& kernel) {
  const unsigned transforms = bench.size(32768, 256);
  const std::vector<float> values = random_values(size_t(transforms) * points * 2, 23);
  std::vector<float> roots;
  for (size_t i = 0; i < points; ++i) {
    roots.push_back(float(root(i).real()));
    roots.push_back(float(root(i).imag()));
  }
  Device& device = bench.device();
  const Memory from = device.upload(values), to = device.allocate(from.bytes);
  set_arguments(kernel, from, to, device.upload(roots));
  const auto check = [&] {
    const auto results = device.download<float>(to);
    at_some_places(size_t(transforms) * points, [&](size_t i) {
      const float* input = &values[i / points * points * 2];
      std::complex<double> sum = 0;
      for (size_t k = 0; k < points; ++k) {
        sum += std::complex<double>(input[2 * k], input[2 * k + 1]) * root(k * (i % points));
      }
      expect_near(results[2 * i], sum.real(), 1e-3);
      expect_near(results[2 * i + 1], sum.imag(), 1e-3);
    });
  };
  // 5·n·log2(n) operations, as Fourier transforms are usually counted.
  bench.measure({transforms}, {points / 4}, check, 50e-9 * points * transforms, "GFLOP/s");
}

}  // namespace

const std::vector<Case> fourier_cases = {{"fft", "fourier", fft}};

}  // namespace bench
