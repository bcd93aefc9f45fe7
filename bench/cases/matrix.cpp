// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

namespace bench {
namespace {

void transpose(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(8192, 1024);
  const std::vector<float> values = random_values(size_t(n) * n, 7);
  const Memory from = bench.device().upload(values), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to, n);
  const auto check = [&] {
    const auto turned = bench.device().download<float>(to);
    at_some_places(turned.size(), [&](size_t i) { expect_near(turned[i], values[i % n * n + i / n], 0); });
  };
  bench.measure({n / 32, n / 32}, {32, 8}, check, 2e-9 * double(from.bytes), "GB/s");
}

// c = a·b with one element for each `per_item` × `per_item` work-items' worth of a group of 16 × 16.
template <typename Real>
void product(Bench& bench, Kernel& kernel, unsigned n, unsigned per_item, double tolerance) {
  const std::vector<float> left = random_values(size_t(n) * n, 8), right = random_values(size_t(n) * n, 9);
  const std::vector<Real> a(left.begin(), left.end()), b(right.begin(), right.end());
  const Memory device_a = bench.device().upload(a), device_b = bench.device().upload(b),
               device_c = bench.device().allocate(device_a.bytes);
  set_arguments(kernel, device_a, device_b, device_c, n);
  const auto check = [&] {
    const auto c = bench.device().download<Real>(device_c);
    at_some_places(c.size(), [&](size_t i) {
      double expected = 0;
      for (size_t k = 0; k < n; ++k) expected += double(a[i / n * n + k]) * double(b[k * n + i % n]);
      expect_near(double(c[i]), expected, tolerance);
    });
  };
  const unsigned groups = n / 16 / per_item;
  bench.measure({groups, groups}, {16, 16}, check, 2e-9 * double(n) * n * n, "GFLOP/s");
}

void sgemm_tiled(Bench& bench, Kernel& kernel) {
  product<float>(bench, kernel, bench.size(4096, 256), 1, 1e-4);
}
void sgemm_blocked(Bench& bench, Kernel& kernel) {
  product<float>(bench, kernel, bench.size(4096, 256), 4, 1e-4);
}
void dgemm(Bench& bench, Kernel& kernel) { product<double>(bench, kernel, bench.size(2048, 256), 1, 1e-12); }

}  // namespace

const std::vector<Case> kMatrixCases = {{"transpose", "matrix", transpose},
                                        {"sgemm_tiled", "matrix", sgemm_tiled},
                                        {"sgemm_blocked", "matrix", sgemm_blocked},
                                        {"dgemm", "matrix", dgemm}};

}  // namespace bench
