// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <numbers>

#include "harness/cases.h"

namespace bench {
namespace {

constexpr unsigned kPoints = 1024;

std::complex<double> root(size_t i) {
  return std::polar(1.0, -2 * std::numbers::pi * double(i % kPoints) / kPoints);
}

void fft(Bench& bench, Kernel& kernel) {
  const unsigned transforms = bench.size(32768, 256);
  const std::vector<float> values = random_values(size_t(transforms) * kPoints * 2, 23);
  std::vector<float> roots;
  for (size_t i = 0; i < kPoints; ++i) {
    roots.push_back(float(root(i).real()));
    roots.push_back(float(root(i).imag()));
  }
  Device& device = bench.device();
  const Memory from = device.upload(values), to = device.allocate(from.bytes);
  set_arguments(kernel, from, to, device.upload(roots));
  const auto check = [&] {
    const auto results = device.download<float>(to);
    at_some_places(size_t(transforms) * kPoints, [&](size_t i) {
      const float* input = &values[i / kPoints * kPoints * 2];
      std::complex<double> sum = 0;
      for (size_t k = 0; k < kPoints; ++k) {
        sum += std::complex<double>(input[2 * k], input[2 * k + 1]) * root(k * (i % kPoints));
      }
      expect_near(results[2 * i], sum.real(), 1e-3);
      expect_near(results[2 * i + 1], sum.imag(), 1e-3);
    });
  };
  // 5·n·log2(n) operations, as Fourier transforms are usually counted.
  bench.measure({transforms}, {kPoints / 4}, check, 50e-9 * kPoints * transforms, "GFLOP/s");
}

}  // namespace

const std::vector<Case> kFourierCases = {{"fft", "fourier", fft}};

}  // namespace bench
