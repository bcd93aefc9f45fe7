// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "harness/cases.h"

namespace bench {
namespace {

// -1, 0 or 1: sums of products are integers that are small enough to be exact in half precision.
int unit(unsigned word) { return int(word % 3) - 1; }
uint16_t half_of(int unit) { return unit == 0 ? 0 : unit > 0 ? 0x3c00 : 0xbc00; }

double value_of(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size =
      exponent == 0 ? fraction / 16777216.0 : (1024 + fraction) * double(1u << exponent) / 33554432.0;
  return half & 0x8000 ? -size : size;
}

std::vector<uint16_t> halves_of(const std::vector<unsigned>& words) {
  std::vector<uint16_t> halves;
  halves.reserve(words.size());
  for (unsigned word : words) halves.push_back(half_of(unit(word)));
  return halves;
}

void hgemm(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(4096, 256);
  const std::vector<unsigned> a = random_words(size_t(n) * n, 10), b = random_words(size_t(n) * n, 11);
  const Memory device_a = bench.device().upload(halves_of(a)), device_b = bench.device().upload(halves_of(b)),
               device_c = bench.device().allocate(device_a.bytes);
  set_arguments(kernel, device_a, device_b, device_c, n);
  const auto check = [&] {
    const auto c = bench.device().download<uint16_t>(device_c);
    at_some_places(c.size(), [&](size_t i) {
      int expected = 0;
      for (size_t k = 0; k < n; ++k) expected += unit(a[i / n * n + k]) * unit(b[k * n + i % n]);
      expect_near(value_of(c[i]), expected, 0);
    });
  };
  bench.measure({n / 64, n / 64}, {16, 16}, check, 2e-9 * double(n) * n * n, "GFLOP/s");
}

}  // namespace

const std::vector<Case> kHalfCases = {{"hgemm", "half", hgemm}};

}  // namespace bench
